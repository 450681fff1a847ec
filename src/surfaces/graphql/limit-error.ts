import { GraphQLError } from 'graphql';
import { graphqlCodeOf, type LimitName, messageOf } from '../../kernel/errors/catalog.ts';
import { currentLocale } from '../../kernel/request/scope.ts';

/** The limits of a GraphQL document. */
export type DocumentLimits = Record<LimitName, number>;

/** A limit that a document exceeds. */
export interface Excess {
  limit: LimitName;
  max: number;
  /** How much of it the document has; absent or infinite where counting ended early. */
  found?: number;
}

/** The error of a document beyond a limit, with its HTTP status where Apollo does not know one. */
export function limitError({ limit, max, found }: Excess, status?: number): GraphQLError {
  return new GraphQLError(messageOf('query_too_complex', currentLocale(), { limit, max }), {
    extensions: {
      code: graphqlCodeOf('query_too_complex'),
      limit: { name: limit, max, ...(Number.isFinite(found) && { found }) },
      ...(status !== undefined && { http: { status } }),
    },
  });
}
