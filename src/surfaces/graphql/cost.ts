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
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { maxItems } from '../../domain/partner/product-tags/product-tags.ts';
import { toAppError } from '../../kernel/errors/app-error.ts';
import type { Size } from '../../platform/admission/admission.ts';
import type { RequestContext } from '../request/context.ts';
import { moreWritesOf } from '../request/writes.ts';
import { limitError, maxFields, maxIds, maxIntrospection } from './document-limits.ts';
import { withDefaults } from './types/apply-rules.ts';
import { type Children, type FieldRules, type Lengths, sum, total } from './types/field-rules.ts';

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

type Field = GraphQLField<unknown, unknown>;

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
  // As graphql-tools takes them; only variables of fragments have sources.
  const variables = { coerced, sources: {} };
  const { fields } = collectFields(schema, fragments, variables, rootType, selectionSet);
  return { schema, fragments, type, rootType, fields, variables };
}

export interface OperationSize extends Size {
  /** Fields after fragments are expanded. */
  fieldCount: number;
}

interface ArgumentCheck {
  check: NonNullable<FieldRules['check']>;
  args: Record<string, unknown>;
  node: FieldNode;
}

/**
 * The size of a valid operation, and the checks of its arguments. It depends on nothing but the document, its variables and
 * the `lengths` of the lists of reference data. Throws `query_too_complex` for a document beyond the limits on fields, ids
 * and introspection, which bound the time that this takes.
 */
export function sizeOf(
  { schema, fragments, type, rootType, fields: rootFields, variables }: Selection,
  lengths: Lengths,
): OperationSize & { checks: ArgumentCheck[] } {
  const checks: ArgumentCheck[] = [];
  let fieldCount = 0;
  let introspected = 0;
  let writes = 0;
  let ids = 0;
  let isSerial = false;
  let lists = 0;

  function pricesIn(parent: GraphQLObjectType, selected: Iterable<FieldNode[]>): Children {
    const prices: Record<string, number[]> = {};
    for (const nodes of selected) {
      const price = priceOf(parent, nodes);
      const { name, selectionSet } = nodes[0] as FieldNode;
      prices[name.value] ??= [];
      const same = prices[name.value] as number[];
      const isRepeat = selectionSet === undefined && same.length >= namesAtPrice;
      same.push(isRepeat ? repeatFactor * price : price);
    }
    return prices;
  }

  function priceOf(parent: GraphQLObjectType, nodes: FieldNode[]): number {
    fieldCount += 1;
    if (fieldCount > maxFields) throw limitError({ limit: 'fields', max: maxFields });
    const [node] = nodes as [FieldNode];
    const { name } = node;
    if (name.value === TypeNameMetaFieldDef.name) return 1 + priceOfName(node);
    const metaField = metaFields.get(name.value);
    if (metaField !== undefined) return introspect(metaField, nodes, [undefined]);
    // Validation has rejected unknown fields.
    const field = parent.getFields()[name.value] as Field;
    const { price = 1, scanPrice, check }: FieldRules = field.extensions;
    const args = argumentsOf(field, node);
    if (check !== undefined) checks.push({ check, args, node });
    if (type === OperationTypeNode.MUTATION && parent === rootType) countWrite(args);
    const inside = getNamedType(field.type);
    const children = isObjectType(inside) ? pricesIn(inside, subFieldsOf(inside, nodes)) : {};
    const scanCost = scanPrice?.(args, children) ?? 0;
    isSerial ||= scanCost > 0;
    // Each list, and each count of it, is a statement.
    if (scanPrice !== undefined) lists += 1 + (children.totalCount?.length ?? 0);
    return (
      priceOfName(node) +
      scanCost +
      (typeof price === 'number' ? price + total(children) : price(args, children, lengths))
    );
  }

  /** Counts the fields of an introspection in each of the `sources`. The schema is the same for every caller. */
  function introspect(field: Field, nodes: FieldNode[], sources: unknown[]): number {
    introspected += sources.length * (1 + priceOfName(nodes[0] as FieldNode));
    if (introspected > maxIntrospection) throw limitError({ limit: 'cost', max: maxIntrospection });
    const inside = getNamedType(field.type);
    if (!isObjectType(inside)) return sources.length;
    const args = argumentsOf(field, nodes[0] as FieldNode);
    const info = { schema } as GraphQLResolveInfo;
    const objects = sources.flatMap((source) => field.resolve?.(source, args, undefined, info) ?? []);
    let count = sources.length;
    // Nothing would bound the fields inside, because they count nothing.
    if (objects.length === 0) return count;
    for (const each of subFieldsOf(inside, nodes)) {
      const name = each[0]?.name.value ?? '';
      count += introspect(inside.getFields()[name] ?? TypeNameMetaFieldDef, each, objects);
    }
    return count;
  }

  function subFieldsOf(inside: GraphQLObjectType, nodes: FieldNode[]) {
    return collectSubFields(schema, fragments, variables, inside, nodes).fields.values();
  }

  function argumentsOf(field: Field, node: FieldNode): Record<string, unknown> {
    return field.args.length === 0
      ? noArguments
      : withDefaults(field, getArgumentValues(field, node, variables.coerced));
  }

  function countWrite(args: Record<string, unknown>): void {
    const entries = countEntries(args);
    writes += 1 + moreWritesOf(entries);
    // A mutation itself rejects more.
    ids += Math.min(entries, maxItems);
    if (ids > maxIds) throw limitError({ limit: 'ids', max: maxIds });
  }

  const cost = total(pricesIn(rootType, rootFields.values()));
  return { cost, writes, fieldCount, isSerial: isSerial || lists > maxListsAtOnce, checks };
}

/** In characters; a longer name of a field counts as one more for each. */
const longName = 100;

/** A value costs its price under four names, such as those of its locales, and ten times as much under each further one. */
const namesAtPrice = 4;
const repeatFactor = 10;

/** The most lists of the company that an operation reads or counts at the same time. */
const maxListsAtOnce = 4;

const noArguments = {};

/** Throws `invalid_parameter` if arguments of a field, or headers that are their defaults, are invalid. */
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

/** The name of a field is in the response once for each entry of a list. */
function priceOfName({ alias, name }: FieldNode): number {
  return Math.floor((alias ?? name).value.length / longName);
}

function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return sum(Object.values(value).map(countEntries));
}
