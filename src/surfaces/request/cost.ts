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

/** A selected field, as seen by its rules and by its subfields' rules. */
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

/** What a field declares beside its resolver: the `extensions` of the field. Page types declare it for all fields that return them. */
// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the types of the arguments
export interface FieldRules<Args = any> {
  /** The cost of the field alone, 1 by default. */
  cost?: number | ((field: Selected<Args>) => number);
  /** The maximum number of entries of a list, which multiplies the cost of its subfields. */
  length?: (field: Selected<Args>) => number;
  /** How often the field reads all rows of a list. */
  scans?: (field: Selected<Args>) => number;
  /** Throws `invalid_parameter` for invalid arguments. Runs for the whole operation before its first resolver. */
  check?: (args: Args, context: RequestContext) => unknown;
  /** Replaces type-graphql's call of the method. */
  // biome-ignore lint/suspicious/noExplicitAny: a field resolves objects of its own type
  resolve?: (source: any, args: Args, context: RequestContext) => unknown;
}

/** The cost of reading all rows of a list. */
export const costOfScan = 2_500;

/** Rate limits count a mutation as one write, and once more for each full hundred ids. */
const idsOfWrite = 100;

/** The maximum number of ids in the mutations of a document. */
const maxMutationIds = 10_000;

/** The maximum cost without a valid token, of reference data and of introspection, which run synchronously. */
export const maxPublicCost = 15_000;

/** `found` is undefined if counting ended early. */
export const limitError = (excess: { limit: LimitName; max: number; found?: number }) =>
  new AppError('query_too_complex', { values: excess });

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

type Field = GraphQLField<unknown, unknown>;

export type Selection = ReturnType<typeof createSelection>;

/** The root fields of an operation by response name. */
export function createSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation: type, selectionSet }: OperationDefinitionNode,
  coerced: Record<string, unknown>,
) {
  const definitions = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((fragment) => [fragment.name.value, fragment]));
  const rootType = getDefinedRootType(schema, type);
  // The type of graphql-tools; only variables of fragments have sources.
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
 * Calculates the cost of a valid operation: the number of fields of its largest possible response, ids in mutations, and
 * extra cost for slow fields (docs/partners/limits.md). Also returns the number of ids and writes, and the argument checks.
 * Throws `query_too_complex` beyond the limits of ids and introspection, which bound the calculation itself.
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

  function sumFields(parentType: GraphQLObjectType, selected: Iterable<FieldNode[]>, parent?: Selected): number {
    const values: Record<string, number> = {};
    let cost = 0;
    for (const nodes of selected) {
      const { name, selectionSet } = nodes[0] as FieldNode;
      values[name.value] = (values[name.value] ?? 0) + 1;
      const isRepeat = selectionSet === undefined && (values[name.value] as number) > maxCheapAliases;
      cost += calculateField(parentType, nodes, isRepeat ? repeatFactor : 1, parent);
    }
    return cost;
  }

  function calculateField(
    parentType: GraphQLObjectType,
    nodes: FieldNode[],
    factor: number,
    parent?: Selected,
  ): number {
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
      (length?.(self) ?? 1) * sumFields(inside as GraphQLObjectType, selected, self)
    );
  }

  /** Counts exactly, because the schema is known. */
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

  const fieldsCost = sumFields(rootType, rootFields.values());
  return { cost: fieldsCost + ids, ids, writes, fieldCount, checks };
}

/** From its fifth alias, a field without subfields costs ten times as much. */
const maxCheapAliases = 4;
const repeatFactor = 10;

const noArguments = {};

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

/** Replaces null by the default. */
export function withDefaults<Args extends Record<string, unknown>>({ args }: Field, values: Args): Args {
  const nulls = args.filter(
    ({ name, type, defaultValue }) => defaultValue !== undefined && !isNonNullType(type) && values[name] === null,
  );
  return nulls.length === 0
    ? values
    : { ...values, ...Object.fromEntries(nulls.map((arg) => [arg.name, arg.defaultValue])) };
}

/** The number of ids in the arguments of a mutation, which rejects longer lists itself. */
export function countIds(args: Record<string, unknown>): number {
  return Math.min(countEntries(args), maxItems);
}

function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((count: number, each) => count + countEntries(each), 0);
}
