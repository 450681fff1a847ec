import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';
import type { RequestContext } from '../request/context.ts';

/**
 * Counts each field of a mutation as a write against the caller's rate limits, before any runs. A REST route is counted by
 * its method before it gets here.
 */
export const writeCount: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, request, contextValue }) {
        if (operation?.operation !== OperationTypeNode.MUTATION || request.http === undefined) return;
        await contextValue.countWrites(countFields(operation.selectionSet, document));
      },
    };
  },
};

// As GraphQL collects them: each fragment once, however often it is spread.
function countFields(selectionSet: SelectionSetNode, document: DocumentNode, spread = new Set<string>()): number {
  let count = 0;
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) {
      count += 1;
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      count += countFields(selection.selectionSet, document, spread);
    } else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION) count += countFields(fragment.selectionSet, document, spread);
    }
  }
  return count;
}
