import { getOperationAST, parse } from 'graphql';
import { negotiateLocale } from '../src/kernel/localization/locale.ts';
import type { RecordedRequest } from './recording.ts';

/** Segments of a path that name a record. */
const id = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})$/i;

/** The key for counting a request: its language, method and path, and the name of a GraphQL operation. */
export function toEndpoint({ method, path, headers, body }: RecordedRequest) {
  const [target = ''] = path.split('?', 1);
  const operation = method === 'POST' && target === '/graphql' ? operationOf(body) : undefined;
  const segments = target.split('/').map((segment) => (id.test(segment) ? '{id}' : segment));
  return {
    route: [method, segments.join('/'), operation?.name?.value ?? ''].join(' ').trim(),
    language: negotiateLocale(headers['accept-language']),
    isRead: method === 'GET' || method === 'HEAD' || operation?.operation === 'query',
  };
}

/** The operation that a GraphQL request executes; undefined if the body is invalid. */
function operationOf(body: string) {
  try {
    const { query, operationName } = JSON.parse(body);
    return getOperationAST(parse(query), operationName);
  } catch {
    return undefined;
  }
}
