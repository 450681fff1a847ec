import { GraphQLError } from 'graphql';
import { graphqlCodeOf, type LimitName, messageOf } from '../../kernel/errors/catalog.ts';
import { currentLocale } from '../../kernel/request/scope.ts';

/** The most that a GraphQL document may have of each. */
export type DocumentLimits = Record<LimitName, number>;

interface Excess {
  limit: LimitName;
  max: number;
  /** How many there are; absent, or without bound, where counting ended early. */
  found?: number;
}

/** The error of a document beyond one of its limits, which it names; with an HTTP status where Apollo would not know one. */
export function limitError({ limit, max, found }: Excess, status?: number): GraphQLError {
  return new GraphQLError(messageOf('query_too_complex', currentLocale(), { limit, max }), {
    extensions: {
      code: graphqlCodeOf('query_too_complex'),
      limit: { name: limit, max, ...(Number.isFinite(found) && { found }) },
      ...(status !== undefined && { http: { status } }),
    },
  });
}
