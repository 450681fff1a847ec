import type { ApolloServerPlugin } from '@apollo/server';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../../domain/request/context.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { currentScope, noteEndpoint } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import { perOperation } from './per-operation.ts';
import { rootFieldsOf } from './root-fields.ts';

/** Longest name of an operation that is written down, in characters. */
const maxNameLength = 100;

/** Tells log lines, metrics and traces which operation a request is about. */
export const operationObserver: ApolloServerPlugin<RequestContext> = {
  async requestDidStart({ request: { http } }) {
    let end: (() => void) | undefined;
    return {
      async didResolveOperation({ document, operation }) {
        if (!operation) return;
        // What REST executes has a route already.
        if (http !== undefined) noteEndpoint(endpointOf(operation, document));
        end = currentScope()?.trace?.operation(operation.operation, operation.name && shorten(operation.name.value));
      },
      async willSendResponse() {
        end?.();
      },
    };
  },
};

const endpointOf = perOperation((operation: OperationDefinitionNode, document: DocumentNode): Endpoint => {
  const { operation: type, name } = operation;
  const fields = [...new Set(rootFieldsOf(operation, document).map((field) => field.name.value))];
  const known = name?.value ?? `{ ${fields.join(' ')} }`;
  return {
    surface: 'graphql',
    // Fields are the schema's, whose number is bounded; names are the client's.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${shorten(known)}`,
  };
});

// A client may call it whatever it likes, its token too.
function shorten(name: string): string {
  const redacted = redactTokens(name);
  return redacted.length > maxNameLength ? `${redacted.slice(0, maxNameLength)}…` : redacted;
}
