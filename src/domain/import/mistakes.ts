import { StartError } from '../../kernel/errors/start-error.ts';

/** Something wrong with a file. */
interface Mistake {
  file?: string | undefined;
  /** Where the record begins, from 1; absent for the whole file, or for values without a file. */
  line?: number | undefined;
  column?: string;
  message: string;
}

/** The mistakes found in the files of one import. */
export class Mistakes {
  static readonly #shown = 20;
  readonly #all: Mistake[] = [];

  add(mistake: Mistake): void {
    this.#all.push(mistake);
  }

  /** Throws a StartError that lists the first mistakes by file and line. */
  ensureNone(advice: string): void {
    if (this.#all.length === 0) return;
    const sorted = this.#all.toSorted(
      (a, b) => (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0),
    );
    const lines = sorted.slice(0, Mistakes.#shown).map(({ file, line, column, message }) => {
      const place = [file, line && `line ${line}`, column].filter((part) => part !== undefined);
      return place.length === 0 ? message : `${place.join(', ')}: ${message}`;
    });
    const more = sorted.length - lines.length;
    throw new StartError([...lines, ...(more > 0 ? [`and ${more} more`] : []), advice].join('\n'));
  }
}
