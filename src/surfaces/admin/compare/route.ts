import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import { type Locale, negotiateLocale } from '../../../kernel/localization/locale.ts';
import { packageFolder } from '../../../kernel/package.ts';
import { graphqlPath, restPath } from '../../../kernel/request/surface-path.ts';
import type { RecordedRequest } from './recording.ts';

/** What a request is counted under. */
export interface Endpoint {
  /** Method and pattern; of GraphQL also the operation. */
  route: string;
  language: Locale;
  isRead: boolean;
}

/** Segments of a path that name a record. */
const id = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})$/i;

/** Longest name of an operation. */
const maxLength = 60;

/** Names the endpoints of requests by the routes of openapi.yaml, of which the build makes this file. */
export function createEndpointOf(): (request: RecordedRequest) => Endpoint {
  const { paths } = JSON.parse(readFileSync(join(packageFolder, 'dist/src/openapi.json'), 'utf8'));
  const templates = Object.keys(paths).map((path) => {
    const template = restPath + path.replace(/\/$/, '');
    return { template, pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) };
  });
  return (request) => {
    const { method } = request;
    const [path = ''] = request.path.split('?', 1);
    const isSafe = method === 'GET' || method === 'HEAD';
    const operations = path === graphqlPath ? operationsOf(request) : [];
    const isQuery = operations.length > 0 && operations.every(({ operation }) => operation === OperationTypeNode.QUERY);
    const anonymous = path.split('/').map((segment) => (id.test(segment) ? '{id}' : segment));
    const template = templates.find(({ pattern }) => pattern.test(path))?.template ?? anonymous.join('/');
    return {
      route: [method, template, ...operations.slice(0, 1).map(nameOf)].join(' '),
      language: negotiateLocale(request.headers['accept-language']),
      isRead: isSafe || (method === 'POST' && isQuery),
    };
  };
}

/** The operations of a GraphQL document, the one to execute first; none if the document cannot be parsed. */
function operationsOf({ method, path, body = '' }: RecordedRequest): OperationDefinitionNode[] {
  try {
    const isPost = method === 'POST';
    const parameters = isPost ? JSON.parse(body) : Object.fromEntries(new URL(path, 'http://graphql').searchParams);
    const all = parse(parameters.query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    const isChosen = ({ name }: OperationDefinitionNode) => name?.value === parameters.operationName;
    return (all as OperationDefinitionNode[]).sort((a, b) => Number(isChosen(b)) - Number(isChosen(a)));
  } catch {
    return [];
  }
}

function nameOf({ operation, name, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.map((field) => (field.kind === Kind.FIELD ? field.name.value : '...'));
  return `${operation} ${name?.value ?? `{ ${fields.join(' ')} }`}`.slice(0, maxLength);
}
