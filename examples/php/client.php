<?php
// Reads lookups, then creates and updates a tag through REST v1. Needs PHP 8.1 or newer with its curl extension.
declare(strict_types=1);

final class Problem extends RuntimeException
{
    /** @param array<string, mixed> $problem the body of the error (RFC 9457), or nothing if it is not JSON */
    public function __construct(public readonly int $status, public readonly array $problem)
    {
        parent::__construct($problem['detail'] ?? ($status === 0 ? 'the gateway cannot be reached' : "HTTP $status without JSON"));
    }

    /** How to handle the error. */
    public function advice(): string
    {
        return match ($this->status) {
            401 => 'get another token',
            412 => 'someone else updated it first',
            422 => implode('; ', array_map(
                fn (string $field, array $messages) => "fix $field: " . implode(' ', $messages),
                array_keys($this->problem['errors'] ?? []),
                $this->problem['errors'] ?? [],
            )) ?: $this->getMessage(),
            // Errors of a proxy have no request id.
            default => $this->getMessage() . (isset($this->problem['request_id']) ? " (request {$this->problem['request_id']})" : ''),
        };
    }
}

final class Gateway
{
    private const ATTEMPTS = 5;

    public function __construct(private string $url, private string $token, private string $language = 'en') {}

    /**
     * Sends a request. Retries 409, 429, 503 and lost connections if that is safe: reads, updates, and creates with an
     * idempotency key.
     *
     * @return array{body: array<string, mixed>, etag: string}
     */
    public function send(string $method, string $path, ?array $body = null, array $headers = []): array
    {
        $isSafe = $method !== 'POST' || isset($headers['Idempotency-Key']);
        for ($attempt = 1; ; $attempt++) {
            [$status, $answer, $received] = $this->exchange($method, $path, $body, $headers);
            if ($status >= 200 && $status < 300 && $answer !== []) {
                return ['body' => $answer, 'etag' => $received['etag'] ?? ''];
            }
            $code = $answer['code'] ?? '';
            $isTemporary = in_array($status, [0, 429, 503], true)
                || in_array($code, ['conflict', 'idempotency_key_in_use'], true);
            if (!$isTemporary || !$isSafe || $attempt === self::ATTEMPTS) {
                throw new Problem($status, $answer);
            }
            $seconds = (int) ($received['retry-after'] ?? 2 ** ($attempt - 1));
            echo "$method: " . ($status ?: 'not sent') . ", again in $seconds s\n";
            sleep($seconds);
        }
    }

    /** @return array{int, array<string, mixed>, array<string, string>} status (0 without a response), body and headers */
    private function exchange(string $method, string $path, ?array $body, array $headers): array
    {
        $headers += ['Authorization' => "Bearer $this->token", 'Accept-Language' => $this->language];
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        $received = [];
        $curl = curl_init("$this->url/partner_portal/v1$path");
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$received): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
        }
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $answer = is_string($text) ? json_decode($text, true) : null;
        return [$text === false ? 0 : $status, is_array($answer) ? $answer : [], $received];
    }
}

/** Runs a step; on an error, prints how to handle it. */
function attempt(callable $step): void
{
    try {
        $step();
    } catch (Problem $problem) {
        echo $problem->advice(), "\n";
    }
}

function main(): void
{
    $url = getenv('GATEWAY_URL') ?: 'http://127.0.0.1:4000';
    $item = (int) (getenv('ITEM_ID') ?: '1');
    $gateway = new Gateway($url, getenv('GATEWAY_TOKEN') ?: '', 'ar');

    foreach ($gateway->send('GET', '/lookups?services=-1&week_days=1')['body']['lookups'] as $lookup) {
        foreach ($lookup as $name => $entries) {
            echo "$name: ", implode('، ', array_column($entries, 'name')), "\n";
        }
    }

    $fields = ['name_en' => 'Spicy', 'name_ar' => 'حار', 'item_ids' => [$item]];
    // One key per tag, so that a retry does not create a second one.
    $key = bin2hex(random_bytes(16));
    ['body' => $tag, 'etag' => $etag] = $gateway->send('POST', '/product_tags', $fields, ['Idempotency-Key' => $key]);
    echo "created {$tag['name']} on ", count($tag['item_ids']), " product\n";
    $again = $gateway->send('POST', '/product_tags', $fields, ['Idempotency-Key' => $key]);
    echo $again['body']['id'] === $tag['id'] ? "created once\n" : "created twice\n";

    $path = "/product_tags/{$tag['id']}";
    $updated = $gateway->send('PUT', $path, ['name_en' => 'Very spicy'], ['If-Match' => $etag]);
    echo "updated to {$updated['body']['name_en']}\n";
    // This version is now out of date.
    attempt(fn () => $gateway->send('PUT', $path, ['name_en' => 'Too late'], ['If-Match' => $etag]));
    attempt(fn () => $gateway->send('PUT', $path, ['name_en' => 'No', 'item_ids' => [2_000_000_000]]));
    attempt(fn () => (new Gateway($url, 'pp_unknown'))->send('PUT', $path, ['name_en' => 'Stolen']));
}

try {
    main();
} catch (Problem $problem) {
    fwrite(STDERR, $problem->advice() . "\n");
    exit(1);
}
