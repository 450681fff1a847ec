import { collectFields, collectSubFields, getDefinedRootType } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { maxItems } from '../../domain/partner/product-tags/product-tags.queries.ts';
import type { ReferenceLists } from '../../domain/reference/reference-lists.ts';
import { AppError, toAppError } from '../../kernel/errors/app-error.ts';
import type { LimitName } from '../../kernel/errors/catalog.ts';
import type { RequestContext } from './context.ts';

/** A selected field, as its rules and its subfields' rules see it. */
// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the types of the arguments
export interface Selected<Args = any> {
  /** After defaults. */
  args: Args;
  /** Undefined for a root field. */
  parent: Selected | undefined;
  /** The fields selected inside. */
  names: ReadonlySet<string>;
  /** The number of entries of each list of reference data. */
  lengths: ReferenceLists['lengths'];
  scans: number | undefined;
}

/**
 * What a field declares beside its resolver. The executable schema has it as the `extensions` of the field. Types of pages
 * declare it once for the fields that return them.
 */
// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the types of the arguments
export interface FieldRules<Args = any> {
  /** The cost of the field alone, 1 by default. By convention, an id in a list costs half a field, a tag id one. */
  cost?: number | ((field: Selected<Args>) => number);
  /** The most entries of a list: what is selected inside costs as much for each. */
  length?: (field: Selected<Args>) => number;
  /** How often the field reads all rows of a list, to find or to count entries. */
  scans?: (field: Selected<Args>) => number;
  /** Throws `invalid_parameter` for arguments that their types allow. Runs for the whole document before its first resolver. */
  check?: (args: Args, context: RequestContext) => unknown;
  /** The resolver that runs in place of type-graphql's call of a method. */
  // biome-ignore lint/suspicious/noExplicitAny: a field resolves objects of its own type
  resolve?: (source: any, args: Args, context: RequestContext) => unknown;
}

/** The cost of reading all rows of a list, to find entries or to count them. */
export const costOfScan = 2_500;

/** Rate limits count a mutation as one write, and one more for each full hundred ids. */
const idsOfWrite = 100;

/** The most ids that the mutations of a document name. */
const maxMutationIds = 10_000;

/** The largest cost without a live token, and of reference data and introspections, which run in one step of the process. */
export const maxPublicCost = 15_000;

/** The error of a document beyond a limit. `found` is its value, unless counting ended early. */
export const limitError = (excess: { limit: LimitName; max: number; found?: number }) =>
  new AppError('query_too_complex', { values: excess });

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

type Field = GraphQLField<unknown, unknown>;

export type Selection = ReturnType<typeof createSelection>;

/** The root fields of an operation by their names in the response. `coerced` are its variables. */
export function createSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation: type, selectionSet }: OperationDefinitionNode,
  coerced: Record<string, unknown>,
) {
  const definitions = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((fragment) => [fragment.name.value, fragment]));
  const rootType = getDefinedRootType(schema, type);
  // As graphql-tools takes them; only variables of fragments have sources.
  const variables = { coerced, sources: {} };
  const { fields } = collectFields(schema, fragments, variables, rootType, selectionSet);
  return { schema, fragments, type, rootType, fields, variables };
}

interface ArgumentCheck {
  check: NonNullable<FieldRules['check']>;
  args: Record<string, unknown>;
  node: FieldNode;
}

/**
 * The cost of a valid operation, which is the number of fields of the largest response that it can have and of the ids in its
 * mutations, with more for what takes longer; these ids alone; how often it counts as a write; and the checks of its
 * arguments. All depend on nothing but the document, its variables and the `lengths` of the lists of reference data. Throws
 * `query_too_complex` for a document beyond the limits on ids and introspection, which bound the time that this takes.
 */
export function calculateCost(
  { schema, fragments, type, rootType, fields: rootFields, variables }: Selection,
  lengths: Selected['lengths'],
) {
  const checks: ArgumentCheck[] = [];
  let fieldCount = 0;
  let introspected = 0;
  let ids = 0;
  let writes = 0;

  function costOfFields(parentType: GraphQLObjectType, selected: Iterable<FieldNode[]>, parent?: Selected): number {
    const values: Record<string, number> = {};
    let cost = 0;
    for (const nodes of selected) {
      const { name, selectionSet } = nodes[0] as FieldNode;
      values[name.value] = (values[name.value] ?? 0) + 1;
      const isRepeat = selectionSet === undefined && (values[name.value] as number) > namesAtCost;
      cost += costOfField(parentType, nodes, isRepeat ? repeatFactor : 1, parent);
    }
    return cost;
  }

  function costOfField(parentType: GraphQLObjectType, nodes: FieldNode[], factor: number, parent?: Selected): number {
    fieldCount += 1;
    const [node] = nodes as [FieldNode];
    const { value: name } = node.name;
    if (name === TypeNameMetaFieldDef.name) return factor;
    const metaField = metaFields.get(name);
    if (metaField !== undefined) return introspect(metaField, nodes, [undefined]);
    // Validation has rejected unknown fields.
    const field = parentType.getFields()[name] as Field;
    const { cost = 1, length, scans, check }: FieldRules = field.extensions;
    const args = getArguments(field, node);
    if (check !== undefined) checks.push({ check, args, node });
    if (type === OperationTypeNode.MUTATION && parent === undefined) countWrite(args);
    const inside = getNamedType(field.type);
    const selected = isObjectType(inside) ? [...listSubFields(inside, nodes)] : [];
    const namesInside = selected.map(([each]) => each?.name.value ?? '');
    const self: Selected = { args, parent, names: new Set(namesInside), lengths, scans: undefined };
    self.scans = scans?.(self);
    return (
      factor * (typeof cost === 'number' ? cost : cost(self)) +
      costOfScan * (self.scans ?? 0) +
      (length?.(self) ?? 1) * costOfFields(inside as GraphQLObjectType, selected, self)
    );
  }

  /** Counts the fields of an introspection in each of the `sources`. The schema is the same for every caller. */
  function introspect(field: Field, nodes: FieldNode[], sources: unknown[]): number {
    introspected += sources.length;
    if (introspected > maxPublicCost) throw limitError({ limit: 'cost', max: maxPublicCost });
    const inside = getNamedType(field.type);
    if (!isObjectType(inside)) return sources.length;
    const args = getArguments(field, nodes[0] as FieldNode);
    const info = { schema } as GraphQLResolveInfo;
    const objects = sources.flatMap((source) => field.resolve?.(source, args, undefined, info) ?? []);
    let count = sources.length;
    for (const each of listSubFields(inside, nodes)) {
      const name = each[0]?.name.value ?? '';
      count += introspect(inside.getFields()[name] ?? TypeNameMetaFieldDef, each, objects);
    }
    return count;
  }

  function listSubFields(inside: GraphQLObjectType, nodes: FieldNode[]) {
    return collectSubFields(schema, fragments, variables, inside, nodes).fields.values();
  }

  function getArguments(field: Field, node: FieldNode): Record<string, unknown> {
    return field.args.length === 0
      ? noArguments
      : withDefaults(field, getArgumentValues(field, node, variables.coerced));
  }

  function countWrite(args: Record<string, unknown>): void {
    const count = countIds(args);
    ids += count;
    if (ids > maxMutationIds) throw limitError({ limit: 'ids', max: maxMutationIds });
    writes += 1 + Math.floor(count / idsOfWrite);
  }

  const costOfAllFields = costOfFields(rootType, rootFields.values());
  return { cost: costOfAllFields + ids, ids, writes, fieldCount, checks };
}

/** A value has its cost under four names, such as those of its locales, and ten times as much under each further one. */
const namesAtCost = 4;
const repeatFactor = 10;

const noArguments = {};

/** Throws `invalid_parameter` if arguments of a field are invalid. */
export function checkArguments(context: RequestContext, checks: readonly ArgumentCheck[]): void {
  for (const { check, args, node } of checks) {
    try {
      check(args, context);
    } catch (error) {
      const originalError = toAppError(error);
      throw new GraphQLError(originalError.message, { nodes: node, originalError });
    }
  }
}

/** Arguments of a field, where null counts as the default. */
export function withDefaults<Args extends Record<string, unknown>>({ args }: Field, values: Args): Args {
  const nulls = args.filter(
    ({ name, type, defaultValue }) => defaultValue !== undefined && !isNonNullType(type) && values[name] === null,
  );
  return nulls.length === 0
    ? values
    : { ...values, ...Object.fromEntries(nulls.map((arg) => [arg.name, arg.defaultValue])) };
}

/** The ids that a mutation names. One that names more than a tag may have is rejected when it runs. */
export function countIds(args: Record<string, unknown>): number {
  return Math.min(countEntries(args), maxItems);
}

function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((count: number, each) => count + countEntries(each), 0);
}
