import type { SentStatement } from './sent-statement.ts';

/** The spans of one request, each the parent of those that begin within it. */
export interface RequestTrace {
  /** Begins the span of a GraphQL operation; returns its end. */
  operation(type: string, name: string | undefined): () => void;
  /** The span of a statement, which is over. */
  statement(statement: SentStatement): void;
}
