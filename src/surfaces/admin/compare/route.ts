import { getOperationAST, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import { type Locale, negotiateLocale } from '../../../kernel/localization/locale.ts';
import { graphqlPath } from '../../../kernel/request/surface-path.ts';
import type { RecordedRequest } from './recording.ts';

/** What a request is counted under. */
export interface Endpoint {
  /** Method and path; of GraphQL also the operation. */
  route: string;
  language: Locale;
  isRead: boolean;
}

/** Segments of a path that name a record. */
const id = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})$/i;

/** Longest name of an operation. */
const maxLength = 60;

export function endpointOf(request: RecordedRequest): Endpoint {
  const { method, headers } = request;
  const [path = ''] = request.path.split('?', 1);
  const operation = path === graphqlPath ? operationOf(request) : undefined;
  const segments = path.split('/').map((segment) => (id.test(segment) ? '{id}' : segment));
  const isQuery = operation?.operation === OperationTypeNode.QUERY;
  return {
    route: [method, segments.join('/'), operation && nameOf(operation)].join(' ').trim(),
    language: negotiateLocale(headers['accept-language']),
    isRead: method === 'GET' || method === 'HEAD' || (method === 'POST' && isQuery),
  };
}

/** The operation that a GraphQL request executes; undefined if it cannot be told. */
function operationOf({ method, path, body = '' }: RecordedRequest): OperationDefinitionNode | undefined {
  try {
    const search = Object.fromEntries(new URL(path, 'http://graphql').searchParams);
    const { query, operationName } = method === 'POST' ? JSON.parse(body) : search;
    return getOperationAST(parse(query), operationName) ?? undefined;
  } catch {
    return undefined;
  }
}

function nameOf({ operation, name, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.map((field) => (field.kind === Kind.FIELD ? field.name.value : '...'));
  return `${operation} ${name?.value ?? `{ ${fields.join(' ')} }`}`.slice(0, maxLength);
}
