import { type DocumentNode, Lexer, parse, Source, TokenKind } from 'graphql';
import { LRUCache } from 'lru-cache';
import { shapeOf } from './document-shape.ts';
import { type DocumentLimits, limitError } from './limit-error.ts';

/**
 * How deep brackets of any kind may be nested, and selections, also through fragments: several times what any document
 * needs, and far from where GraphQL, which follows them by recursion, would exhaust the stack.
 */
const maxNesting = 200;

/** Most characters of documents that are known to be within the limits. */
const maxKnown = 4_000_000;

/**
 * Refuses the text of a document that has more of anything than it may; its cost is told later, as it takes a valid one.
 * Before GraphQL sees it, for whom parsing or validating it could take long, or fail. What does not parse is left to it.
 */
export function createDocumentCheck(limits: DocumentLimits): (text: string, status: number) => void {
  const known = new LRUCache<string, true>({ maxSize: maxKnown, sizeCalculation: (_, text) => text.length + 1 });
  return (text, status) => {
    if (known.has(text)) return;
    ensureWithinLimits(text, limits, status);
    known.set(text, true);
  };
}

/** Whether the text of a document keeps to the limits. */
export function isWithinLimits(text: string, limits: DocumentLimits): boolean {
  try {
    ensureWithinLimits(text, limits, 400);
    return true;
  } catch {
    return false;
  }
}

function ensureWithinLimits(text: string, limits: DocumentLimits, status: number): void {
  ensureParsable(text, limits, status);
  const document = parseIfPossible(text);
  if (document === undefined) return;
  const { nesting, ...shape } = shapeOf(document, maxNesting);
  if (nesting > maxNesting) throw limitError({ limit: 'depth', max: limits.depth }, status);
  for (const limit of ['depth', 'aliases', 'directives'] as const) {
    if (shape[limit] > limits[limit]) throw limitError({ limit, max: limits[limit], found: shape[limit] }, status);
  }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

function ensureParsable(text: string, { tokens, depth }: DocumentLimits, status: number): void {
  let count = 0;
  let nesting = 0;
  for (const kind of tokenKinds(text)) {
    count += 1;
    if (count > tokens) throw limitError({ limit: 'tokens', max: tokens }, status);
    if (opening.has(kind)) nesting += 1;
    if (closing.has(kind)) nesting -= 1;
    if (nesting > maxNesting) throw limitError({ limit: 'depth', max: depth }, status);
  }
}

// Up to the first that is none, where parsing ends too.
function* tokenKinds(text: string): Generator<TokenKind> {
  const lexer = new Lexer(new Source(text));
  try {
    for (;;) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return;
      yield kind;
    }
  } catch {
    return;
  }
}

function parseIfPossible(text: string): DocumentNode | undefined {
  try {
    return parse(text, { noLocation: true });
  } catch {
    return undefined;
  }
}
