import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, GraphQLList, GraphQLNonNull, type GraphQLOutputType, getVariableValues } from 'graphql';
// Its ESM build imports a second copy of graphql, whose classes are not this schema's.
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity/cjs';
import { graphqlCodeOf, messageOf } from '../errors/catalog.ts';
import type { RequestContext } from '../request/context.ts';

/**
 * Largest cost of an operation: the fields of its answer, as estimated before it runs. All reference data at once is below
 * it, and so are a hundred items with their tags, those tags' items, and their tags.
 */
const maxCost = 150_000;

/** How many entries a list is taken to have: of reference data, and of what hangs on another record. */
const rootListSize = 1_000;
const nestedListSize = 10;

/** The longest page; longer ones are refused by their field. */
const maxFirst = 100;

/** Refuses an operation whose answer could grow without bound, before a field of it is resolved. */
export const queryCost: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, operationName, request, contextValue }) {
        const { variables = {} } = request;
        // Variables that do not coerce are told of by the execution, which they keep from beginning.
        if (getVariableValues(schema, operation?.variableDefinitions ?? [], variables).errors) return;
        const cost = getComplexity({
          schema,
          query: document,
          variables,
          ...(operationName && { operationName }),
          estimators: [estimateField],
        });
        if (cost <= maxCost) return;
        throw new GraphQLError(messageOf('query_too_complex', contextValue.locale, { cost, max: maxCost }), {
          extensions: { code: graphqlCodeOf('query_too_complex'), http: { status: 400 } },
        });
      },
    };
  },
};

const estimateField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  if (typeof args.first === 'number') return 1 + Math.min(Math.max(args.first, 1), maxFirst) * childComplexity;
  // The entries of a connection are as many as its `first`, which has been counted; the schema itself is of one size.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  if (!isList(field.type) || isCounted) return 1 + childComplexity;
  return 1 + (type.name === 'Query' ? rootListSize : nestedListSize) * childComplexity;
};

function isList(type: GraphQLOutputType): boolean {
  return type instanceof GraphQLList || (type instanceof GraphQLNonNull && isList(type.ofType));
}
