import {
  type DocumentNode,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValueNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { LimitName } from '../../kernel/errors/catalog.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** The limits of a GraphQL document. */
export type DocumentLimits = Record<LimitName, number>;

/** A limit that a document exceeds; with the document's own size, unless counting ended early. */
type Excess = { limit: LimitName; max: number; found?: number };

/** Levels of brackets, or of selections. GraphQL follows them by recursion; no useful document comes near. */
const maxNesting = 200;

/** Selections of a document, each counted wherever its fragment is spread. */
const maxSelections = 10_000;

/** Values of a document's arguments, each counted wherever its field is: more than fit into a document once. */
const maxValues = 20_000;

/** Pairs of fields and fragments that validation compares because they share a level of the response. */
const maxComparisons = 20_000;

/**
 * Rejects a document beyond a limit before GraphQL parses or validates it, which could take long or exhaust the stack. The
 * cost of a valid document is estimated later. Syntax errors are left to GraphQL.
 */
export function createDocumentCheck(limits: DocumentLimits): (text: string) => void {
  const known = new LRUCache<string, true>({
    maxSize: memoryBounds.checkedDocuments,
    sizeCalculation: (_, text) => 2 * text.length + entryOverhead,
  });
  return (text) => {
    if (known.has(text)) return;
    const excess = excessOf(text, limits);
    if (excess !== undefined) throw limitError(excess);
    known.set(text, true);
  };
}

export const limitError = (excess: Excess) => new AppError('query_too_complex', { values: excess });

/** The first limit that the text of a document exceeds; undefined if it is within all, or has a syntax error. */
function excessOf(text: string, limits: DocumentLimits): Excess | undefined {
  try {
    return excessOfTokens(text, limits) ?? excessOfDocument(parse(text, { noLocation: true }), limits);
  } catch {
    return undefined;
  }
}

function excessOfTokens(text: string, { tokens, depth }: DocumentLimits): Excess | undefined {
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count += 1) {
    if (count === tokens) return { limit: 'tokens', max: tokens };
    if ('{[('.includes(lexer.token.kind)) nesting += 1;
    if ('}])'.includes(lexer.token.kind)) nesting -= 1;
    if (nesting > maxNesting) return { limit: 'depth', max: depth };
  }
  return undefined;
}

function excessOfDocument(document: DocumentNode, limits: DocumentLimits): Excess | undefined {
  const shape = shapeOf(document);
  if (shape.nesting > maxNesting) return { limit: 'depth', max: limits.depth };
  const isCounted = shape.selections <= maxSelections && shape.values <= maxValues;
  for (const limit of ['depth', 'aliases', 'directives'] as const) {
    const max = limits[limit];
    if (shape[limit] > max) return { limit, max, ...(isCounted && { found: shape[limit] }) };
  }
  const isAffordable = isCounted && shape.comparisons <= maxComparisons;
  return isAffordable ? undefined : { limit: 'cost', max: limits.cost };
}

/** Fields that become one object of a response. */
interface Level {
  fields: Map<string, { count: number; inside: Level }>;
  spreads: Set<string>;
}

/**
 * The sizes of a document, with its fragments wherever they are spread. Validation visits fragments that no operation spreads,
 * so they count too.
 */
function shapeOf({ definitions }: DocumentNode) {
  const shape = {
    /** Of the deepest operation: nested fields. */
    depth: 0,
    /** Of the deepest operation or fragment: nested selections of any kind. */
    nesting: 0,
    /** Of the operation or fragment with the most: aliases and fields repeated within one selection, and directives. */
    aliases: 0,
    directives: 0,
    /** Of the whole document. Counting ends shortly after `maxSelections` or `maxValues`. */
    selections: 0,
    values: 0,
    comparisons: 0,
  };
  const named = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((fragment) => [fragment.name.value, fragment]));
  let aliases = 0;
  let directives = 0;
  for (const definition of definitions) {
    if (!('selectionSet' in definition)) continue;
    aliases = 0;
    directives = definition.directives?.length ?? 0;
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    visit(definition.selectionSet, 1, isOperation ? 1 : uncounted, emptyLevel());
    shape.aliases = Math.max(shape.aliases, aliases);
    shape.directives = Math.max(shape.directives, directives);
  }
  return shape;

  function visit({ selections }: SelectionSetNode, nesting: number, depth: number, level: Level): void {
    shape.nesting = Math.max(shape.nesting, nesting);
    if (nesting > maxNesting) return;
    const names = new Set<string>();
    for (const selection of selections) {
      shape.selections += 1;
      if (shape.selections > maxSelections || shape.values > maxValues) return;
      directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet, nesting + 1, depth, level);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined) continue;
        directives += fragment.directives?.length ?? 0;
        visit(fragment.selectionSet, nesting + 1, depth, spread(level, selection.name.value));
      } else {
        const name = (selection.alias ?? selection.name).value;
        if (selection.alias !== undefined) aliases += 1;
        if (names.has(name)) aliases += 1;
        names.add(name);
        shape.depth = Math.max(shape.depth, depth);
        shape.values += selection.arguments?.reduce((sum, { value }) => sum + countValues(value), 0) ?? 0;
        const inside = insideOf(level, name);
        // Introspection has its own rule of GraphQL.
        const below = selection.name.value.startsWith('__') ? uncounted : depth + 1;
        if (selection.selectionSet) visit(selection.selectionSet, nesting + 1, below, inside);
      }
    }
  }

  // Spread several times on a level, a fragment counts once.
  function spread(level: Level, name: string): Level {
    if (level.spreads.has(name)) return emptyLevel();
    shape.comparisons += level.fields.size + level.spreads.size;
    level.spreads.add(name);
    return level;
  }

  function insideOf({ fields }: Level, name: string): Level {
    const field = fields.get(name) ?? { count: 0, inside: emptyLevel() };
    shape.comparisons += field.count;
    field.count += 1;
    fields.set(name, field);
    return field.inside;
  }
}

function countValues(value: ValueNode): number {
  const inside = 'values' in value ? value.values : 'fields' in value ? value.fields.map((field) => field.value) : [];
  return inside.reduce((sum, each) => sum + countValues(each), 1);
}

/** A depth that adding 1 does not change. */
const uncounted = Number.NEGATIVE_INFINITY;

const emptyLevel = (): Level => ({ fields: new Map(), spreads: new Set() });
