import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import Negotiator from 'negotiator';
import { statusOf } from '../../kernel/errors/catalog.ts';
import { toAppError } from '../../kernel/errors/to-app-error.ts';
import { codeOf, isAboutDocument, isAboutPersistedQuery, originalOf } from './errors.ts';

// The preferred one first. A client may also name the charset.
const json = 'application/json; charset=utf-8';
const responseJson = 'application/graphql-response+json; charset=utf-8';

/** The media type of a response, by the request's Accept header; undefined if the client accepts neither. */
export function negotiateMediaType(accept: string | undefined): string | undefined {
  // An empty header means the same as none.
  return new Negotiator({ headers: { accept: accept || undefined } }).mediaType([json, responseJson]);
}

/**
 * HTTP status of a document that is not executed: 400 as application/graphql-response+json, 200 as application/json (GraphQL
 * over HTTP, section 6.4).
 */
export function rejectedStatus(accept: string | undefined): number {
  return negotiateMediaType(accept) === responseJson ? 400 : 200;
}

/**
 * HTTP status of a GraphQL response. A document that does not parse, validate or coerce, or is beyond a limit, has the status
 * of its media type; a malformed request is 400, and an unknown persisted query 200. A response without data has the status of
 * the first error that is not about the caller's input.
 */
export const responseStatus: ApolloServerPlugin = {
  async requestDidStart({ request: { http } }) {
    return {
      async willSendResponse({ response, errors = [] }) {
        if (response.body.kind !== 'single' || response.body.singleResult.data) return;
        const [first] = errors;
        // Clients go on by the code, and expect 200 with it.
        if (first === undefined || isAboutPersistedQuery(first)) return;
        const isExecuted = response.body.singleResult.data !== undefined;
        if (!isExecuted && codeOf(first) !== ApolloServerErrorCode.BAD_REQUEST && errors.every(isAboutDocument)) {
          response.http.status = rejectedStatus(http?.headers.get('accept'));
          return;
        }
        const failures = errors
          .filter((error) => !isAboutDocument(error))
          .map((error) => toAppError(originalOf(error)));
        const failure = failures.find(({ code }) => statusOf(code) !== 400);
        if (failure === undefined) return;
        response.http.status = statusOf(failure.code);
        for (const [name, value] of Object.entries(failure.headers)) response.http.headers.set(name, value);
      },
    };
  },
};
