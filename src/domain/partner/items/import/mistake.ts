/** Something wrong with a file of items, and where. */
export interface Mistake {
  /** The line of the file on which the row begins, from 1. */
  line: number;
  /** The column; absent where the whole row is meant. */
  column?: string;
  message: string;
}

/** The first mistakes of a file by line, and how many there are: as many as there may be, few are kept. */
export class Mistakes {
  static readonly kept = 20;
  total = 0;
  #first: Mistake[] = [];

  add(mistake: Mistake): void {
    this.addOf([mistake], 1);
  }

  /** Adds mistakes, in order of their lines, that are the first of so many. */
  addOf(mistakes: Mistake[], total: number): void {
    this.total += total;
    // Most come in order, and so too late.
    if (this.#first.length === Mistakes.kept && (mistakes[0]?.line ?? 0) >= (this.#first.at(-1)?.line ?? 0)) return;
    this.#first = [...this.#first, ...mistakes].toSorted((a, b) => a.line - b.line).slice(0, Mistakes.kept);
  }

  toString(): string {
    const lines = this.#first.map(
      ({ line, column, message }) => `line ${line}${column === undefined ? '' : `, ${column}`}: ${message}`,
    );
    const more = this.total - lines.length;
    return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
  }
}
