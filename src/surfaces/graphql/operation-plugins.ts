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
import type { RequestContext } from '../../domain/request/context.ts';
import { referenceDirective } from '../../domain/request/reference-access.ts';
import { currentScope, type Endpoint, noteEndpoint } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import { isAboutPersistedQuery } from './errors.ts';

type Plugin = ApolloServerPlugin<RequestContext>;

/** Reports the operation of a request to log lines, metrics and traces. */
const observer: Plugin = {
  async requestDidStart({ request: { http } }) {
    let end: (() => void) | undefined;
    return {
      async didResolveOperation({ document, operation }) {
        if (!operation) return;
        // The operations of REST have a route already.
        if (http !== undefined) noteEndpoint(endpointOf(operation, document));
        end = currentScope()?.trace?.operation(operation.operation, operation.name && shorten(operation.name.value));
      },
      async willSendResponse() {
        end?.();
      },
    };
  },
};

/**
 * Counts each field of a mutation as a write against the caller's rate limits, before any runs. REST counts its writes by
 * method.
 */
const writeCount: Plugin = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, request, contextValue }) {
        if (operation?.operation !== OperationTypeNode.MUTATION || request.http === undefined) return;
        await contextValue.countWrites(rootFieldsOf(operation, document).length);
      },
    };
  },
};

/** Declares responses public that have only reference data, which the schema marks by field, and no errors. */
const publicResponse: Plugin = {
  async requestDidStart() {
    let isPublic = false;
    return {
      async didResolveOperation({ schema, document, operation, contextValue }) {
        if (operation === undefined) return;
        isPublic = readsReferenceAlone(schema, document, operation);
        contextValue.declarePublic(isPublic);
      },
      async didEncounterErrors({ contextValue, errors }) {
        // The same request may succeed once the document is stored.
        if (errors.every(isAboutPersistedQuery)) return;
        isPublic = false;
        contextValue.declarePublic(false);
      },
      async willSendResponse({ request, response }) {
        // As on REST: a shared cache may store it, and revalidates it by its ETag before each use.
        if (isPublic && request.http?.method === 'GET') response.http.headers.set('cache-control', 'public, no-cache');
      },
    };
  },
};

export const operationPlugins: Record<'observer' | 'writeCount' | 'publicResponse', Plugin> = {
  observer,
  writeCount,
  publicResponse,
};

function readsReferenceAlone(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const fields = schema.getQueryType()?.getFields() ?? {};
  return (
    operation.operation === OperationTypeNode.QUERY &&
    rootFieldsOf(operation, document).every(({ name: { value: name } }) => {
      const directives = fields[name]?.astNode?.directives ?? [];
      return name === '__typename' || directives.some((directive) => directive.name.value === referenceDirective.name);
    })
  );
}

/** The root fields of an operation as GraphQL collects them: each fragment once. */
const rootFieldsOf = perOperation((operation, document): FieldNode[] => {
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
});

const endpointOf = perOperation((operation, document): Endpoint => {
  const { operation: type, name } = operation;
  const fields = [...new Set(rootFieldsOf(operation, document).map((field) => field.name.value))];
  const known = name?.value ?? `{ ${fields.join(' ')} }`;
  return {
    surface: 'graphql',
    // The schema bounds the number of fields; clients choose the names.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${shorten(known)}`,
  };
});

/** Longest name of an operation in logs, in characters. */
const maxNameLength = 100;

// A client may use anything as a name, even its token.
function shorten(name: string): string {
  const redacted = redactTokens(name);
  return redacted.length > maxNameLength ? `${redacted.slice(0, maxNameLength)}…` : redacted;
}

/** The function, called once for each operation of a cached document. */
function perOperation<Result>(compute: (operation: OperationDefinitionNode, document: DocumentNode) => Result) {
  const known = new WeakMap<OperationDefinitionNode, { result: Result }>();
  return (operation: OperationDefinitionNode, document: DocumentNode): Result => {
    const entry = known.get(operation) ?? { result: compute(operation, document) };
    known.set(operation, entry);
    return entry.result;
  };
}
