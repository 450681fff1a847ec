import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import Negotiator from 'negotiator';
import { statusOf } from '../errors/catalog.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { isAboutDocument, originalOf } from './errors.ts';

const responseJson = 'application/graphql-response+json';

/**
 * HTTP status of a GraphQL answer. A request that GraphQL refuses to execute (it does not parse, validate or coerce) is
 * 400 to a client that takes application/graphql-response+json, and 200 to one that takes application/json (GraphQL over
 * HTTP, section 6.4); a body that asks for nothing is 400 to both. An answer without data has the status of the first
 * error that kept it from the caller, where that is not about the caller's arguments.
 */
export const responseStatus: ApolloServerPlugin = {
  async requestDidStart({ request: { http } }) {
    return {
      async willSendResponse({ response, errors = [] }) {
        const wellFormed = errors[0]?.extensions.code !== ApolloServerErrorCode.BAD_REQUEST;
        if (response.http.status === 400 && wellFormed && !prefersResponseJson(http?.headers.get('accept'))) {
          response.http.status = 200;
        }
        if (response.body.kind !== 'single' || response.body.singleResult.data) return;
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

function prefersResponseJson(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', responseJson]) === responseJson;
}
