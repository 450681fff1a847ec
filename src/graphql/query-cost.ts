import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
// Its ESM build imports a second copy of graphql, whose classes are not this schema's.
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity/cjs';
import type { RequestContext } from '../request/context.ts';
import { limitError } from './limit-error.ts';

/** How many entries a list is taken to have: of reference data, and of what hangs on another record. */
const rootListSize = 1_000;
const nestedListSize = 10;

/** The longest page; longer ones are refused by their field. */
const maxFirst = 100;

/** The most selections that are looked at, each wherever its fragment is spread; beyond them the cost is without bound. */
const maxSelections = 10_000;

/**
 * Refuses a valid operation whose answer could have more fields than `max`, before a field of it is resolved. Those that
 * the service itself executes, for REST, have not come over HTTP and are not judged.
 */
export function limitCost(max: number): ApolloServerPlugin<RequestContext> {
  // Of operations without variables, which cost the same each time, as long as Apollo keeps their documents parsed.
  const known = new WeakMap<OperationDefinitionNode, number>();
  return {
    async requestDidStart({ request: { http, variables = {} } }) {
      if (http === undefined) return;
      return {
        async didResolveOperation({ schema, document, operation }) {
          if (operation === undefined) return;
          const cost = known.get(operation) ?? estimateCost(schema, document, operation, variables);
          if (!operation.variableDefinitions?.length) known.set(operation, cost);
          if (cost > max) throw limitError({ limit: 'cost', max, found: cost });
        },
      };
    },
  };
}

// 0 where variables do not coerce: the execution tells of it, as they keep it from beginning. An argument without a value is
// an error of the whole operation, so that none of it runs.
function estimateCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  // One error is enough: each writes out the whole variable.
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 });
  if (errors) return 0;
  try {
    return getComplexity({
      schema,
      query: document,
      variables,
      ...(operation.name && { operationName: operation.name.value }),
      estimators: [estimateField],
      maxQueryNodes: maxSelections,
    });
  } catch (error) {
    // Of too many selections it tells without pointing at one.
    if (error instanceof GraphQLError && error.nodes === undefined) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

const estimateField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  // Entities of a federation: each is looked up, whatever is asked of it.
  if (Array.isArray(args.representations)) return 1 + args.representations.length * (1 + childComplexity);
  if (typeof args.first === 'number') return 1 + Math.min(Math.max(args.first, 1), maxFirst) * childComplexity;
  // The entries of a connection are as many as its `first`, which has been counted; the schema itself is of one size.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  if (!isList(field.type) || isCounted) return 1 + childComplexity;
  return 1 + (type.name === 'Query' ? rootListSize : nestedListSize) * childComplexity;
};

function isList(type: GraphQLOutputType): boolean {
  return type instanceof GraphQLList || (type instanceof GraphQLNonNull && isList(type.ofType));
}
