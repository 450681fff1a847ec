import { StartError } from '../../kernel/errors/start-error.ts';

/** Something wrong with a file. */
interface Mistake {
  /** Named where an import has several files. */
  file?: string | undefined;
  /** Where the record begins, from 1. */
  line: number;
  column?: string | undefined;
  message: string;
}

const shown = 20;

/** The mistakes found in the files of one import. */
export class Mistakes {
  readonly #all: Mistake[] = [];

  add(mistake: Mistake): void {
    this.#all.push(mistake);
  }

  /** Whether a file has any so far. */
  has(file: string): boolean {
    return this.#all.some((mistake) => mistake.file === file);
  }

  /** Throws a StartError that lists the first mistakes by file and line. */
  ensureNone(): void {
    if (this.#all.length === 0) return;
    const sorted = this.#all.toSorted((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line);
    const lines = sorted.slice(0, shown).map(({ file, line, column, message }) => {
      const place = [file, `line ${line}`, column].filter((part) => part !== undefined);
      return `${place.join(', ')}: ${message}`;
    });
    if (sorted.length > shown) lines.push(`and ${sorted.length - shown} more`);
    throw new StartError([...lines, 'Nothing was changed. Correct the mistakes, then try again.'].join('\n'));
  }
}
