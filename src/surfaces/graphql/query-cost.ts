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
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../domain/request/context.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
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
  const known = new LRUCache<string, number>({
    maxSize: memoryBounds.documentFacts / 2,
    sizeCalculation: (_, key) => 2 * key.length + entryOverhead,
  });
  return {
    async requestDidStart({ request: { http, variables = {} } }) {
      if (http === undefined) return;
      return {
        async didResolveOperation({ schema, document, operation, queryHash }) {
          if (operation === undefined) return;
          const key = keyOf(operation, queryHash, variables);
          const cost = (key !== undefined && known.get(key)) || estimateCost(schema, document, operation, variables);
          // Not of variables that do not coerce, which may be described as others that do.
          if (key !== undefined && cost > 0) known.set(key, cost);
          if (cost > max) throw limitError({ limit: 'cost', max, found: cost });
        },
      };
    },
  };
}

// All that a cost depends on: the operation with the numbers and booleans passed to it. Undefined where lists or objects are.
function keyOf(operation: OperationDefinitionNode, hash: string, variables: Record<string, unknown>) {
  const values = operation.variableDefinitions?.map(({ variable }) => variables[variable.name.value]) ?? [];
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const described = values.map((value) => (typeof value === 'string' ? 'text' : String(value)));
  return [hash, operation.name?.value, ...described].join(' ');
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
