import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { type Excess, limitError } from '../request/cost.ts';

/** The limits of a GraphQL document that operators set. */
export type DocumentLimits = Record<'cost' | 'depth' | 'tokens', number>;

/** Longest document, in characters. Long lists belong in variables. */
const maxCharacters = 32_768;

/** Most lines of a document: graphql-js counts those before an error, for each of them. */
const maxLines = 2_000;

/** The limit of graphql-js on comparisons of fields with the same name; graphql-js does not export it. */
const maxComparisons = 500_000;

export function requireShortText(text: string): void {
  const found = text.length;
  if (found > maxCharacters) throw limitError({ limit: 'characters', max: maxCharacters, found });
  const lines = text.split(/\r\n|[\n\r]/).length;
  if (lines > maxLines) throw limitError({ limit: 'lines', max: maxLines, found: lines });
}

/** The limit of graphql-js that an error of parsing or validation reports. Only the message identifies it. */
export function libraryLimit(message: string, { tokens, depth }: DocumentLimits): Excess | undefined {
  if (/more tha[tn] \d+ tokens/.test(message)) return { limit: 'tokens', max: tokens };
  // Deep nesting overflows the stack of the parser.
  if (message.startsWith('Maximum call stack')) return { limit: 'depth', max: depth };
  return message === 'Validation aborted.' ? { limit: 'comparisons', max: maxComparisons } : undefined;
}

/** Rejects documents that are too deep. */
export function depthRule({ depth: max }: DocumentLimits): ValidationRule {
  return (context) => ({
    Document(document) {
      const found = depthOf(document);
      if (found <= max) return;
      const error = limitError({ limit: 'depth', max, found });
      context.reportError(new GraphQLError(error.message, { originalError: error }));
    },
  });
}

/** Depth of the deepest operation in fields, without introspection, which has its own rule in graphql-js. */
function depthOf({ definitions }: DocumentNode): number {
  const named = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((fragment) => [fragment.name.value, fragment]));
  const depthOfFragments = new Map<FragmentDefinitionNode, number>();

  function depthOfSelections({ selections }: SelectionSetNode): number {
    const depths = selections.map((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOfSelections(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(fragments.get(selection.name.value));
      const { name, selectionSet } = selection;
      return selectionSet && !name.value.startsWith('__') ? 1 + depthOfSelections(selectionSet) : 1;
    });
    return Math.max(...depths);
  }

  function depthOfFragment(fragment: FragmentDefinitionNode | undefined): number {
    if (fragment === undefined) return 0;
    // A cycle of fragments counts 0 here; another rule rejects it.
    const known = depthOfFragments.get(fragment);
    if (known !== undefined) return known;
    depthOfFragments.set(fragment, 0);
    const depth = depthOfSelections(fragment.selectionSet);
    depthOfFragments.set(fragment, depth);
    return depth;
  }

  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return Math.max(0, ...operations.map(({ selectionSet }) => depthOfSelections(selectionSet)));
}
