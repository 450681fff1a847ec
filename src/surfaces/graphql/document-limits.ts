import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoFragmentCyclesRule,
  type SelectionSetNode,
  type ValidationRule,
  validate,
} from 'graphql';
import type { AppError } from '../../kernel/errors/app-error.ts';
import { limitError } from '../request/cost.ts';

/** The limits of a GraphQL document that operators set. */
export type DocumentLimits = Record<'cost' | 'depth' | 'tokens', number>;

/** Longest document, in characters. Long lists belong in variables. */
const maxCharacters = 32_768;

/** Most lines of a document: graphql-js counts those before an error, for each of them. */
const maxLines = 2_000;

/** The most fields of an operation after fragments are expanded, without introspections. */
const maxFields = 500;

/** The most fields of all operations of a document, including introspections: each is checked, and one runs. */
const maxFieldsOfAll = 2_000;

/** How often an object may have the same field: graphql-js compares each pair of those with the same name. */
const maxRepeats = 50;

/** The longest name in the response, in characters: it is there once for each entry of a list. */
const maxName = 100;

export function requireShortText(text: string): void {
  const found = text.length;
  if (found > maxCharacters) throw limitError({ limit: 'characters', max: maxCharacters, found });
  const lines = text.split(/\r\n|[\n\r]/).length;
  if (lines > maxLines) throw limitError({ limit: 'lines', max: maxLines, found: lines });
}

/**
 * Rejects documents by their structure, in a few ms. It does so when the document is entered: of a rejected one, the rules of
 * graphql-js, which compare all fields with the same name, see no definition.
 */
export function structureRule({ depth }: DocumentLimits): ValidationRule {
  return (context) => ({
    Document(document) {
      const errors = structureErrors(context.getSchema(), document, depth);
      for (const error of errors) context.reportError(error);
      return errors.length === 0 ? undefined : { ...document, definitions: [] };
    },
  });
}

function structureErrors(schema: GraphQLSchema, document: DocumentNode, maxDepth: number): readonly GraphQLError[] {
  const cycles = validate(schema, document, [NoFragmentCyclesRule]);
  if (cycles.length > 0) return cycles;
  try {
    requireStructure(document, maxDepth);
    return [];
  } catch (thrown) {
    const error = thrown as AppError;
    return [new GraphQLError(error.message, { originalError: error })];
  }
}

/** Throws `query_too_complex` if an operation, or a fragment that none of them uses, exceeds a limit. */
function requireStructure({ definitions }: DocumentNode, maxDepth: number): void {
  const named = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((fragment) => [fragment.name.value, fragment]));
  const unused = new Set(named);
  let depth = 0;
  let fieldsOfAll = 0;
  let fields = 0;

  /** The fields of selections, each fragment's once. */
  function* collectFields(selectionSets: SelectionSetNode[]): Iterable<FieldNode> {
    // Grows while fragments are found.
    const expanded = new Set(selectionSets);
    for (const { selections } of expanded) {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) yield selection;
        else if (selection.kind === Kind.INLINE_FRAGMENT) expanded.add(selection.selectionSet);
        else {
          const fragment = fragments.get(selection.name.value);
          // Another rule rejects unknown ones.
          if (fragment === undefined) continue;
          unused.delete(fragment);
          expanded.add(fragment.selectionSet);
        }
      }
    }
  }

  /**
   * Visits the selections of an object, which several fields with the same name in the response may have. Root fields have level 1;
   * introspections have none, because graphql-js limits their depth.
   */
  function visit(selectionSets: SelectionSetNode[], level: number): void {
    const sameName = new Map<string, FieldNode[]>();
    const repeats = new Map<string, number>();
    for (const field of collectFields(selectionSets)) {
      const name = (field.alias ?? field.name).value;
      if (name.length > maxName) throw limitError({ limit: 'name', max: maxName, found: name.length });
      // A value without arguments is the same under each name.
      const isValue = field.selectionSet === undefined && field.arguments?.length === 0;
      const repeated = isValue ? `value ${field.name.value}` : name;
      const count = 1 + (repeats.get(repeated) ?? 0);
      if (count > maxRepeats) throw limitError({ limit: 'repeats', max: maxRepeats });
      repeats.set(repeated, count);
      const same = sameName.get(name);
      if (same !== undefined) same.push(field);
      else sameName.set(name, [field]);
    }
    if (level > 0) fields += sameName.size;
    if (fields > maxFields) throw limitError({ limit: 'fields', max: maxFields });
    fieldsOfAll += sameName.size;
    if (fieldsOfAll > maxFieldsOfAll) throw limitError({ limit: 'fields', max: maxFieldsOfAll });
    depth = Math.max(depth, level);
    for (const nodes of sameName.values()) {
      const inside = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const isIntrospection = nodes[0]?.name.value.startsWith('__');
      if (inside.length > 0) visit(inside, isIntrospection ? Number.NEGATIVE_INFINITY : level + 1);
    }
  }

  function visitRoot({ selectionSet }: { selectionSet: SelectionSetNode }): void {
    fields = 0;
    visit([selectionSet], 1);
  }

  for (const definition of definitions) if (definition.kind === Kind.OPERATION_DEFINITION) visitRoot(definition);
  for (const fragment of unused) visitRoot(fragment);
  if (depth > maxDepth) throw limitError({ limit: 'depth', max: maxDepth, found: depth });
}
