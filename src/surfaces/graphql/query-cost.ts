import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  type OperationDefinitionNode,
} from 'graphql';
// The ESM build imports a second copy of graphql, with other classes than this schema.
import { type ComplexityEstimator, directiveEstimator, getComplexity } from 'graphql-query-complexity/cjs';

/** Assumed lengths: of reference data, of a list of ids, of other plain lists. Pages have the length of their `first`. */
const listLengths = { reference: 1_000, ids: 100, other: 10 };

/** The longest page; fields reject longer ones. */
const maxFirst = 100;

/** What a valid operation could cost: the fields of its response. */
export function costOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const name = operation.name && { operationName: operation.name.value };
  return getComplexity({ schema, query, variables, ...name, estimators: [directiveEstimator(), estimateField] });
}

const estimateField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  // Entities of a federation: each is looked up, whatever it selects.
  if (Array.isArray(args.representations)) return 1 + args.representations.length * (1 + childComplexity);
  if (typeof args.first === 'number') return 1 + Math.min(Math.max(args.first, 1), maxFirst) * childComplexity;
  // The entries of a connection count by its `first`; introspection lists the schema, whose size is fixed.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  if (!isListType(getNullableType(field.type)) || isCounted) return 1 + childComplexity;
  if (isLeafType(getNamedType(field.type))) return 1 + listLengths.ids;
  return 1 + (type.name === 'Query' ? listLengths.reference : listLengths.other) * childComplexity;
};
