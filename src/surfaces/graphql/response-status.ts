import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { statusOf } from '../../kernel/errors/catalog.ts';
import { toAppError } from '../../kernel/errors/to-app-error.ts';
import { codeOf, isAboutDocument, isAboutPersistedQuery, originalOf } from './errors.ts';
import { refusalStatus } from './media-type.ts';

/**
 * HTTP status of a GraphQL answer. A request that GraphQL refuses to execute (it does not parse, validate or coerce, or is
 * beyond a limit) has the status of its media type; a body that asks for nothing, or for what does not have its hash, is 400
 * to all, and a persisted query that is not known 200. An answer without data has
 * the status of the first error that kept it from the caller, where that is not about the caller's arguments.
 */
export const responseStatus: ApolloServerPlugin = {
  async requestDidStart({ request: { http } }) {
    return {
      async willSendResponse({ response, errors = [] }) {
        if (response.body.kind !== 'single' || response.body.singleResult.data) return;
        // Clients go on by the code, and expect 200 with it.
        if (errors[0] !== undefined && isAboutPersistedQuery(errors[0])) return;
        const isExecuted = response.body.singleResult.data !== undefined;
        const isWellFormed = errors[0] !== undefined && codeOf(errors[0]) !== ApolloServerErrorCode.BAD_REQUEST;
        if (!isExecuted && isWellFormed && errors.every(isAboutDocument)) {
          response.http.status = refusalStatus(http?.headers.get('accept'));
          return;
        }
        for (const error of errors) {
          if (isAboutDocument(error)) continue;
          const appError = toAppError(originalOf(error));
          const status = statusOf(appError.code);
          if (status === 400) continue;
          response.http.status = status;
          for (const [name, value] of Object.entries(appError.headers)) response.http.headers.set(name, value);
          return;
        }
      },
    };
  },
};
