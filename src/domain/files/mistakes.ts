import { OperatorError } from '../../kernel/errors/operator-error.ts';

interface Mistake {
  /** Set if an import has several files. */
  file?: string | undefined;
  /** The first line of the record, from 1. */
  line: number;
  column?: string | null | undefined;
  message: string;
}

export const shownMistakes = 20;

/** Maximum number of stored mistakes; further ones are only counted. */
const maxStored = 10_000;

export class Mistakes {
  readonly #stored: Mistake[] = [];
  #count = 0;

  add(mistake: Mistake): void {
    if (this.#stored.length < maxStored) this.#stored.push(mistake);
    this.#count += 1;
  }

  /** Counts mistakes that are not listed. */
  addUnlisted(count: number): void {
    this.#count += count;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Throws an OperatorError that lists the first mistakes by file and line. */
  ensureNone(): void {
    if (this.isEmpty) return;
    const sorted = this.#stored.toSorted((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line);
    const listed = sorted.slice(0, shownMistakes);
    const lines = listed.map(({ file, line, column, message }) => {
      const place = [file, `line ${line}`, column].filter((part) => part != null);
      return `${place.join(', ')}: ${message}`;
    });
    if (this.#count > listed.length) lines.push(`and ${this.#count - listed.length} more`);
    throw new OperatorError([...lines, 'Nothing was changed. Correct the mistakes, then try again.'].join('\n'));
  }
}
