import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { RequestContext } from '../../domain/request/context.ts';
import { referenceDirective } from '../../domain/request/reference-access.ts';
import { isAboutPersistedQuery } from './errors.ts';
import { rootFieldsOf } from './root-fields.ts';

/** Declares responses public that have only reference data, which the schema marks by field, and no errors. */
export const publicAnswer: ApolloServerPlugin<RequestContext> = {
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

function readsReferenceAlone(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {};
  return (
    operation.operation === OperationTypeNode.QUERY &&
    rootFieldsOf(operation, document).every(({ name: { value: name } }) => {
      const directives = fields[name]?.astNode?.directives ?? [];
      return name === '__typename' || directives.some((directive) => directive.name.value === referenceDirective.name);
    })
  );
}
