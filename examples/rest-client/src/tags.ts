import { randomUUID } from 'node:crypto';
import type { Gateway, Problem } from './gateway.ts';
import type { components } from './v1.generated.ts';

type Fields = components['schemas']['ProductTagFields'];
type Tag = components['schemas']['ProductTag'] & { etag: string };

/** Creates a tag. Its idempotency key makes the retries of `retryingFetch` safe. */
export async function createTag(gateway: Gateway, fields: Fields): Promise<Tag> {
  const { data, error, response } = await gateway.POST('/product_tags', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: fields,
  });
  if (error !== undefined) throw new Error(getAdvice(error));
  return { ...data, etag: response.headers.get('ETag') ?? '' };
}

/** Updates a tag if it still has the known version; returns undefined if someone else updated it first. */
export async function updateTag(gateway: Gateway, { id, etag }: Tag, fields: Fields): Promise<Tag | undefined> {
  const { data, error, response } = await gateway.PUT('/product_tags/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    body: fields,
  });
  if (error?.code === 'version_mismatch') return undefined;
  if (error !== undefined) throw new Error(getAdvice(error));
  return { ...data, etag: response.headers.get('ETag') ?? '' };
}

/** `code` is for programs, `detail` and `errors` are for people. */
function getAdvice(problem: Problem): string {
  switch (problem.code) {
    case 'unauthenticated':
      return 'get another token';
    case 'required':
    case 'invalid_type':
    case 'invalid_length':
    case 'invalid_characters':
    case 'too_many_items':
    case 'item_not_found':
    case 'item_not_product':
    case 'validation_failed':
      return Object.entries(problem.errors ?? {})
        .map(([field, messages]) => `fix ${field}: ${messages.join(', ')}`)
        .join('; ');
    default:
      return `${problem.detail} (request ${problem.request_id})`;
  }
}
