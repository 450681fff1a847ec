import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isLeafType,
  type OperationDefinitionNode,
} from 'graphql';
// Its ESM build imports a second copy of graphql, whose classes are not this schema's.
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity/cjs';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../domain/request/context.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { limitError } from './limit-error.ts';

/** Assumed lengths: of reference data, of a list of ids, of other plain lists. Pages have the length that they ask for. */
const listLengths = { reference: 1_000, ids: 100, other: 10 };

/** The longest page; fields reject longer ones. */
const maxFirst = 100;

/**
 * Rejects a valid operation whose response could have more than `max` fields, before any field is resolved. Operations that
 * the service executes for REST have no limit.
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
          // Invalid variables have no cost, and may have the same key as valid ones.
          if (key !== undefined && cost > 0) known.set(key, cost);
          if (cost > max) throw limitError({ limit: 'cost', max, found: cost });
        },
      };
    },
  };
}

// What a cost depends on: the operation, and its numbers and booleans. Undefined with lists or objects among its variables.
function keyOf(operation: OperationDefinitionNode, hash: string, variables: Record<string, unknown>) {
  const values = operation.variableDefinitions?.map(({ variable }) => variables[variable.name.value]) ?? [];
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const described = values.map((value) => (typeof value === 'string' ? 'text' : String(value)));
  return [hash, operation.name?.value, ...described].join(' ');
}

// 0 if the variables are invalid, which the execution reports.
function estimateCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 1,
    hideSuggestions: true,
  });
  if (errors) return 0;
  return getComplexity({
    schema,
    query: document,
    variables,
    ...(operation.name && { operationName: operation.name.value }),
    estimators: [estimateField],
  });
}

const estimateField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  // Entities of a federation: each is looked up, whatever it selects.
  if (Array.isArray(args.representations)) return 1 + args.representations.length * (1 + childComplexity);
  if (typeof args.first === 'number') return 1 + Math.min(Math.max(args.first, 1), maxFirst) * childComplexity;
  // The entries of a connection count by its `first`; introspection lists the schema, whose size is fixed.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  if (!isList(field.type) || isCounted) return 1 + childComplexity;
  if (isLeafType(getNamedType(field.type))) return 1 + listLengths.ids;
  return 1 + (type.name === 'Query' ? listLengths.reference : listLengths.other) * childComplexity;
};

function isList(type: GraphQLOutputType): boolean {
  return type instanceof GraphQLList || (type instanceof GraphQLNonNull && isList(type.ofType));
}
