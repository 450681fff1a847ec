import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { referenceDirective } from '../../domain/request/access.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import { currentScope, type Endpoint, noteEndpoint } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { limitError } from './document-limits.ts';
import { isAboutPersistedQuery } from './errors.ts';
import { costOf } from './query-cost.ts';

/** The highest cost of an operation without a live token: anyone may send it, again and again. */
const anonymousMaxCost = 50_000;

/**
 * Before an operation is executed: reports it to log lines, metrics and traces, declares whether its response is public, rejects
 * one that costs more than `maxCost`, or too much for a request without a live token, and counts the fields of a mutation as writes against the caller's rate limits.
 */
export function operationPlugin(maxCost: number): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let isPublic = false;
      let endTrace: (() => void) | undefined;
      return {
        async didResolveOperation({ schema, document, operation, request, contextValue }) {
          if (operation === undefined) return;
          const { operation: type, name } = operation;
          const rootFields = rootFieldsOf(operation, document);
          isPublic = type === OperationTypeNode.QUERY && rootFields.every((field) => isReference(schema, field));
          declarePublic(contextValue.response, isPublic);
          endTrace = currentScope()?.trace?.operation(type, name && shorten(name.value));
          // REST names its endpoints, bounds its documents and counts its writes itself.
          if (request.http === undefined) return;
          noteEndpoint(endpointOf(operation, rootFields));
          const cost = costOf(schema, document, operation, request.variables ?? {});
          if (cost > maxCost) throw limitError({ limit: 'cost', max: maxCost, found: cost });
          if (cost > anonymousMaxCost && !(await contextValue.authenticate()))
            throw limitError({ limit: 'cost', max: anonymousMaxCost, found: cost });
          if (type === OperationTypeNode.MUTATION) await contextValue.countWrites(rootFields.length);
        },
        async didEncounterErrors({ contextValue, errors }) {
          // The same request may succeed once the document is stored.
          if (errors.every(isAboutPersistedQuery)) return;
          isPublic = false;
          declarePublic(contextValue.response, false);
        },
        async willSendResponse({ request, response }) {
          endTrace?.();
          // As on REST: a shared cache may store it, and revalidates it by its ETag before each use.
          if (isPublic && request.http?.method === 'GET')
            response.http.headers.set('cache-control', 'public, no-cache');
        },
      };
    },
  };
}

/** The root fields of an operation as GraphQL collects them: each fragment once. */
function rootFieldsOf(operation: OperationDefinitionNode, document: DocumentNode): FieldNode[] {
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return selection;
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const name = selection.name.value;
      if (spread.has(name)) return [];
      spread.add(name);
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? collect(fragment.selectionSet) : [];
    });
  return collect(operation.selectionSet);
}

/** Whether the schema marks a root field as reference data. */
function isReference(schema: GraphQLSchema, { name: { value: name } }: FieldNode): boolean {
  const directives = schema.getQueryType()?.getFields()[name]?.astNode?.directives ?? [];
  return name === '__typename' || directives.some((directive) => directive.name.value === referenceDirective.name);
}

function endpointOf({ operation: type, name }: OperationDefinitionNode, rootFields: readonly FieldNode[]): Endpoint {
  const fields = [...new Set(rootFields.map((field) => field.name.value))];
  return {
    surface: 'graphql',
    // The schema bounds the number of fields; clients choose the names.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${shorten(name?.value ?? `{ ${fields.join(' ')} }`)}`,
  };
}

/** Longest name of an operation in logs, in characters. */
const maxNameLength = 100;

// A client may use anything as a name, even its token.
function shorten(name: string): string {
  const redacted = redactTokens(name);
  return redacted.length > maxNameLength ? `${redacted.slice(0, maxNameLength)}…` : redacted;
}
