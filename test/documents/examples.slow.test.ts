import { execFile } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { startHttpServer } from '../support/http-server.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { startApp, use } from '../support/test-app.ts';

const run = promisify(execFile);

// So few writes that the clients run into the limit and wait.
const app = use(await startApp({ RATE_LIMIT_WINDOW: '3', RATE_LIMIT_TOKEN_WRITES: '2' }));
const tenant = await app.createTenant();

async function runClient(name: string, env: Record<string, string>): Promise<string[]> {
  const folder = join(root, 'examples', name);
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'dist/main.js')], {
    env: { GATEWAY_URL: app.url, GATEWAY_TOKEN: tenant.token, ...env },
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

const countries = 'المملكة العربية السعودية';

test('the REST client runs as documented', async () => {
  const lines = await runClient('rest-client', { ITEM_ID: String(tenant.products[0]) });
  const waits = lines.filter((line) => /^(POST|PUT): 429, again in \d s$/.test(line));
  expect(waits.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !waits.includes(line))).toEqual([
    'GET /countries: 200',
    'GET /countries: 304',
    `first ${countries}`,
    'created حار on 1 product',
    'renamed Very spicy',
    'someone else updated it first',
    expect.stringMatching(/^fix name_en: .+; fix item_ids: .+: 2000000000\. .+$/),
  ]);
});

test('the GraphQL client runs as documented', async () => {
  await using unhurried = await startApp();
  const own = await unhurried.createTenant();
  const lines = await runClient('graphql-client', { GATEWAY_URL: unhurried.url, GATEWAY_TOKEN: own.token });
  expect(lines).toEqual([
    'الأحد، الاثنين، الثلاثاء، الأربعاء، الخميس، الجمعة، السبت',
    `12 brand types, 249 countries, first ${countries}`,
    '5 products',
    'created once: true',
    'Spicy was updated by someone else first',
    'Spicy! on 2 products',
    expect.stringMatching(/^fix nameEn: .+; leave out 2000000000: .+$/),
    'UNAUTHENTICATED',
  ]);
});

test.each([
  ['php', 'php', 'client.php'],
  ['ruby', 'ruby', 'client.rb'],
  ['python', 'python3', 'client.py'],
])('the client in %s runs as documented, and retries temporary errors', async (folder, program, file) => {
  if (lacks(program)) return;
  const [item = 0] = tenant.products;
  // The first read and the first write get temporary errors, one of them from a proxy.
  const failures = ['proxy', '', '503', '409', '429'].values();
  await using unsteady = await startHttpServer((request, response) => {
    const failure = failures.next().value;
    if (failure === 'proxy') {
      response.writeHead(503, { 'Content-Type': 'text/html', 'Retry-After': '0' });
      return void response.end('<h1>503 Service Unavailable</h1>');
    }
    if (failure) {
      response.writeHead(Number(failure), { 'Content-Type': 'application/problem+json', 'Retry-After': '0' });
      return void response.end(JSON.stringify({ code: failure === '409' ? 'idempotency_key_in_use' : 'overloaded' }));
    }
    const { hostname, port } = new URL(app.url);
    const { method, headers, url: path } = request;
    const forward = httpRequest({ hostname, port, method, path, headers }, (forwarded) => {
      forwarded.pipe(response.writeHead(forwarded.statusCode ?? 0, forwarded.headers));
    });
    request.pipe(forward);
  });
  const env = { GATEWAY_URL: unsteady.url, GATEWAY_TOKEN: tenant.token, ITEM_ID: String(item) };
  const { stdout, stderr } = await run(findProgram(program) ?? '', [join(root, 'examples', folder, file)], { env });
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !/^(POST|PUT): 429, again in [1-9] s$/.test(line))).toEqual([
    'GET: 503, again in 0 s',
    'services: تناول في المطعم، توصيل، استلام من الفرع، استلام من السيارة',
    expect.stringMatching(/^week_days: الأحد، /),
    ...['503', '409', '429'].map((status) => `POST: ${status}, again in 0 s`),
    'created حار on 1 product',
    'created once',
    'updated to Very spicy',
    'someone else updated it first',
    expect.stringMatching(/^fix name_en: .+; fix item_ids: .+2000000000.+$/),
    'get another token',
  ]);

  // A fatal error is reported as a sentence.
  const failed = await run(findProgram(program) ?? '', [join(root, 'examples', folder, file)], {
    env: { ...env, GATEWAY_TOKEN: 'pp_unknown' },
  }).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: 'get another token\n' });
});
