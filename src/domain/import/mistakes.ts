import { StartError } from '../../kernel/errors/start-error.ts';

/** Something wrong with a file. */
interface Mistake {
  file?: string | undefined;
  /** Where the record begins, from 1; absent for the whole file, or for values without a file. */
  line?: number | undefined;
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

  /** Throws a StartError that lists the first mistakes by file and line. */
  ensureNone(advice: string): void {
    if (this.#all.length === 0) return;
    const sorted = this.#all.toSorted(
      (a, b) => (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0),
    );
    const lines = sorted.slice(0, shown).map(({ file, line, column, message }) => {
      const place = [file, line && `line ${line}`, column].filter((part) => part !== undefined).join(', ');
      return place === '' ? message : `${place}: ${message}`;
    });
    if (sorted.length > shown) lines.push(`and ${sorted.length - shown} more`);
    throw new StartError([...lines, advice].join('\n'));
  }
}
