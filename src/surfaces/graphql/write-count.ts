import type { ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import type { RequestContext } from '../../domain/request/context.ts';
import { rootFieldsOf } from './root-fields.ts';

/**
 * Counts each field of a mutation as a write against the caller's rate limits, before any runs. A REST route is counted by
 * its method before it gets here.
 */
export const writeCount: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, request, contextValue }) {
        if (operation?.operation !== OperationTypeNode.MUTATION || request.http === undefined) return;
        await contextValue.countWrites(rootFieldsOf(operation, document).length);
      },
    };
  },
};
