import { collectFields, collectSubFields, getDefinedRootType, getDirective } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { complexityDirective } from '../../domain/request/access.ts';
import { maxFirst } from '../../domain/request/connection.ts';
import { writesOfItems } from '../../domain/request/context.ts';
import { limitError } from './document-limits.ts';

/** The longest list other than pages and reference data: the days of a week, or the errors of a mutation. */
const maxOtherLength = 10;

const metaFields = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field]),
);

/** The most fields after fragments are expanded: each takes more time than a value of the response. */
const maxPositions = 500;

/** The most ids that the mutations of a document name. */
const maxIds = 10_000;

/** The most fields of an introspection, which is one long step. */
const maxIntrospection = 15_000;

/** The cost of each condition that reads all entries of a list, and again of the list's length. */
const conditionCost = 2_500;

/** The page of a connection: its length, and the cost of its conditions. */
interface ListPage {
  length: number;
  conditions: number;
  /** Whether it is a root field, whose length is counted in the database. */
  isRoot: boolean;
}

const noPage: ListPage = { length: 1, conditions: 0, isRoot: false };

type ArgumentCheck = (field: GraphQLField<unknown, unknown>, args: Record<string, unknown>, node: FieldNode) => void;

export type Selection = ReturnType<typeof selectionOf>;

/** The root fields of an operation by their names in the response. `coerced` are its variables. */
export function selectionOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation: type, selectionSet }: OperationDefinitionNode,
  coerced: Record<string, unknown>,
) {
  const definitions = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((fragment) => [fragment.name.value, fragment]));
  const rootType = getDefinedRootType(schema, type);
  const variables = { coerced, sources: {} };
  const { fields } = collectFields(schema, fragments, variables, rootType, selectionSet);
  return { schema, fragments, rootType, fields, variables };
}

/**
 * Returns the maximum number of fields in the response of a valid operation, given the `lengths` of the lists of
 * reference data; the writes of a mutation; and the positions, which are the fields after fragments are expanded. Throws
 * `query_too_complex` for a cost above `max`, or too many positions. Visits at most `max`, which bounds its own work. Throws
 * for an argument that its type or `check` rejects, so that no part of the operation runs.
 */
export function costOf(
  { schema, fragments, rootType, fields: rootFields, variables }: Selection,
  lengths: Readonly<Record<string, number>>,
  max: number,
  check: ArgumentCheck,
) {
  let visits = 0;
  let positions = 0;
  let writes = 0;
  let ids = 0;
  let introspected = 0;
  let isScan = false;

  const cost = costOfFields(rootType, rootFields, undefined, noPage);
  if (cost > max) throw limitError({ limit: 'cost', max, found: cost });
  return { cost, writes, isScan, positions };

  /** `source` is the object of an introspection, `page` the page of a connection. */
  function costOfFields(
    type: GraphQLObjectType,
    fields: Map<string, FieldNode[]>,
    source: unknown,
    page: ListPage,
  ): number {
    return sum([...fields.values()].map((nodes) => costOfField(type, nodes, source, page)));
  }

  function costOfField(type: GraphQLObjectType, nodes: FieldNode[], source: unknown, page: ListPage): number {
    visits += 1;
    if (visits > max) throw limitError({ limit: 'cost', max });
    if (source === undefined) positions += 1;
    else introspected += 1;
    if (introspected > maxIntrospection) throw limitError({ limit: 'cost', max: maxIntrospection });
    if (positions > maxPositions) throw limitError({ limit: 'fields', max: maxPositions });
    const [node] = nodes as [FieldNode];
    const field = metaFields.get(node.name.value) ?? type.getFields()[node.name.value];
    const inside = field && getNamedType(field.type);
    if (field === undefined || inside === undefined) return 1;
    const args = getArgumentValues(field, node, variables.coerced);
    check(field, args, node);
    // A field of a mutation counts one write, and one more for each hundred entries of its lists.
    if (type === schema.getMutationType()) {
      const entries = countEntries(args);
      writes += 1 + writesOfItems(entries);
      // A longer list alone is rejected by its mutation.
      ids += Math.min(entries, maxIds);
      if (ids > maxIds) throw limitError({ limit: 'ids', max: maxIds });
    }
    if (isIntrospectionType(inside)) {
      // The schema is the same for every caller, so count the exact fields of an introspection.
      const found: unknown = field.resolve?.(source, args, undefined, { schema } as GraphQLResolveInfo);
      const objects = Array.isArray(found) ? found : found == null ? [] : [found];
      return 1 + sum(objects.map((object) => costOfObject(inside, nodes, object, noPage)));
    }
    const first = typeof args.first === 'number' ? Math.min(Math.max(args.first, 1), maxFirst) : 1;
    const [weight = { value: 1 }] = getDirective(schema, field, complexityDirective.name) ?? [];
    const conditions = conditionCost * countConditions(args);
    const isRoot = type === schema.getQueryType();
    isScan ||= field.name === 'totalCount' ? page.isRoot : isRoot && conditions > 0;
    const own = weight.value + (field.name === 'totalCount' ? page.conditions : conditions);
    const inner = { length: first, conditions, isRoot };
    return own + lengthOf(type, field, args, page) * costOfObject(inside, nodes, undefined, inner);
  }

  function costOfObject(type: GraphQLNamedType, nodes: FieldNode[], source: unknown, page: ListPage): number {
    if (isAbstractType(type)) {
      return Math.max(...schema.getPossibleTypes(type).map((each) => costOfObject(each, nodes, source, page)));
    }
    if (!isObjectType(type)) return 0;
    return costOfFields(type, collectSubFields(schema, fragments, variables, type, nodes).fields, source, page);
  }

  function lengthOf(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    { representations, key = field.name }: Record<string, unknown>,
    { length }: ListPage,
  ): number {
    if (!isListType(getNullableType(field.type))) return 1;
    // Federation looks up one entity for each representation.
    if (Array.isArray(representations)) return representations.length;
    // `lookups` names its list by its key.
    return type.name.endsWith('Connection') ? length : (lengths[String(key)] ?? maxOtherLength);
  }
}

function countConditions({ search, tagged, productTagIds }: Record<string, unknown>): number {
  const isSearch = typeof search === 'string' && search.trim() !== '';
  return [isSearch || undefined, tagged, productTagIds].filter((condition) => condition != null).length;
}

function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? sum(Object.values(value).map(countEntries)) : 0;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
