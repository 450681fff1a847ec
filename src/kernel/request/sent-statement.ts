/** A SQL statement that was answered, or failed. */
export interface SentStatement {
  /** Its text, with placeholders in place of values. */
  sql: string;
  /** How long it took, in ms. */
  duration: number;
  /** What it failed with. */
  error: unknown;
}
