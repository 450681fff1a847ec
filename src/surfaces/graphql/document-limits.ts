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

/** Long lists belong in variables. */
const maxCharacters = 32_768;

/** graphql-js counts the lines before each error. */
const maxLines = 2_000;

/** Of an operation, after fragments are expanded, without introspection. */
const maxFields = 500;

/** Of all operations, with introspection: all are validated, though only one runs. */
const maxTotalFields = 2_000;

/** Of the same field in an object: graphql-js compares each pair. */
const maxRepeats = 50;

/** Responses repeat a name for each entry of a list. */
const maxNameLength = 100;

export function requireShortText(text: string): void {
  const found = text.length;
  if (found > maxCharacters) throw limitError({ limit: 'characters', max: maxCharacters, found });
  const lines = text.split(/\r\n|[\n\r]/).length;
  if (lines > maxLines) throw limitError({ limit: 'lines', max: maxLines, found: lines });
}

/** Hides the definitions of a rejected document from the rules of graphql-js, which take long for it. */
export function createStructureRule({ depth }: DocumentLimits): ValidationRule {
  return (context) => ({
    Document(document) {
      const errors = findStructureErrors(context.getSchema(), document, depth);
      for (const error of errors) context.reportError(error);
      return errors.length === 0 ? undefined : { ...document, definitions: [] };
    },
  });
}

function findStructureErrors(schema: GraphQLSchema, document: DocumentNode, maxDepth: number): readonly GraphQLError[] {
  const cycles = validate(schema, document, [NoFragmentCyclesRule]);
  if (cycles.length > 0) return cycles;
  try {
    checkStructure(document, maxDepth);
    return [];
  } catch (thrown) {
    const error = thrown as AppError;
    return [new GraphQLError(error.message, { originalError: error })];
  }
}

/** Throws `query_too_complex` if an operation, or a fragment that none of them uses, exceeds a limit. */
function checkStructure({ definitions }: DocumentNode, maxDepth: number): void {
  const fragmentDefinitions = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(fragmentDefinitions.map((fragment) => [fragment.name.value, fragment]));
  const unused = new Set(fragmentDefinitions);
  let depth = 0;
  let totalFields = 0;
  let fields = 0;

  function* collectFields(selectionSets: SelectionSetNode[]): Iterable<FieldNode> {
    // Grows while fragments are found.
    const expanded = new Set(selectionSets);
    for (const { selections } of expanded) {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) yield selection;
        else if (selection.kind === Kind.INLINE_FRAGMENT) expanded.add(selection.selectionSet);
        else {
          const fragment = fragments.get(selection.name.value);
          // Another rule rejects unknown fragments.
          if (fragment === undefined) continue;
          unused.delete(fragment);
          expanded.add(fragment.selectionSet);
        }
      }
    }
  }

  // Several fields of the same name can select from one object. graphql-js limits the depth of introspection.
  function visit(selectionSets: SelectionSetNode[], level: number): void {
    const fieldsByName = new Map<string, FieldNode[]>();
    const repeats = new Map<string, number>();
    for (const field of collectFields(selectionSets)) {
      const name = (field.alias ?? field.name).value;
      if (name.length > maxNameLength) throw limitError({ limit: 'name', max: maxNameLength, found: name.length });
      // A scalar without arguments is the same under each alias.
      const isScalar = field.selectionSet === undefined && field.arguments?.length === 0;
      const repeated = isScalar ? `value ${field.name.value}` : name;
      const count = 1 + (repeats.get(repeated) ?? 0);
      if (count > maxRepeats) throw limitError({ limit: 'repeats', max: maxRepeats });
      repeats.set(repeated, count);
      const fieldsOfName = fieldsByName.get(name);
      if (fieldsOfName !== undefined) fieldsOfName.push(field);
      else fieldsByName.set(name, [field]);
    }
    if (level > 0) fields += fieldsByName.size;
    if (fields > maxFields) throw limitError({ limit: 'fields', max: maxFields });
    totalFields += fieldsByName.size;
    if (totalFields > maxTotalFields) throw limitError({ limit: 'fields', max: maxTotalFields });
    depth = Math.max(depth, level);
    for (const nodes of fieldsByName.values()) {
      const subselections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const isIntrospection = nodes[0]?.name.value.startsWith('__');
      if (subselections.length > 0) visit(subselections, isIntrospection ? Number.NEGATIVE_INFINITY : level + 1);
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
