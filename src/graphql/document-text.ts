import { Lexer, Source, TokenKind } from 'graphql';
import { type DocumentLimits, limitError } from './limit-error.ts';

/**
 * How deep brackets of any kind may be nested: several times what any document needs, and far from where GraphQL, which
 * follows them by recursion, would exhaust the stack.
 */
const maxNesting = 200;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Refuses the text of a document that would take long to parse, or that could not be followed to its depth. */
export function ensureParsable(text: string, { tokens, depth }: DocumentLimits, status: number): void {
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

// Up to the first that is none, which parsing will tell of.
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
