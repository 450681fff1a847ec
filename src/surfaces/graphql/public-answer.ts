import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { RequestContext } from '../../domain/request/context.ts';
import { referenceDirective } from '../../domain/request/reference-access.ts';
import { isAboutPersistedQuery } from './errors.ts';
import { rootFieldsOf } from './root-fields.ts';

/** Tells answers that hold nothing but reference data, which the schema declares field by field, and no errors. */
export const publicAnswer: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, contextValue }) {
        if (operation) contextValue.declarePublic(readsReferenceAlone(schema, document, operation));
      },
      async didEncounterErrors({ contextValue, errors }) {
        // The same request is another one once its document is known.
        if (!errors.every(isAboutPersistedQuery)) contextValue.declarePublic(false);
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
