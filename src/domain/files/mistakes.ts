import { OperatorError } from '../../kernel/errors/operator-error.ts';

export interface Mistake {
  /** Set if an import has several files. */
  file?: string | undefined;
  /** The first line of the record, from 1. */
  line: number;
  /** The id of the record, as the file has it. */
  id?: unknown;
  column?: string | null | undefined;
  /** The content of the cell. Never set for a file with tokens. */
  value?: unknown;
  /** A sentence that mistakes of this kind share, without ids. */
  kind: string;
  /** The sentence for this record; by default, that of the kind. */
  message?: string | undefined;
}

interface Group {
  kind: Mistake;
  rows: number;
  first: Mistake[];
}

/** Maximum number of records that are shown of a kind. */
const maxExamples = 5;

/** Maximum number of lines for mistakes, besides the last three. */
const maxLines = 37;

const maxShownValue = 80;

/** Collects the mistakes of an import by kind, in bounded memory, and passes each to `onMistake`. */
export class Mistakes {
  readonly #groups = new Map<string, Group>();
  readonly #onMistake: (mistake: Mistake) => void;
  #count = 0;

  constructor(onMistake: (mistake: Mistake) => void = () => {}) {
    this.#onMistake = onMistake;
  }

  add(mistake: Mistake): void {
    this.#count += 1;
    const { file, column, kind } = mistake;
    const key = JSON.stringify([file, column, kind]);
    const group = this.#groups.get(key) ?? { kind: mistake, rows: 0, first: [] };
    this.#groups.set(key, group);
    group.rows += 1;
    if (group.first.length < maxExamples) group.first.push(mistake);
    this.#onMistake(mistake);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Throws a MistakesError if there are any. */
  ensureNone(): void {
    if (!this.isEmpty) throw new MistakesError([...this.#groups.values()], this.#count);
  }
}

/** Lists the kinds of mistakes with the number of rows and the first of them. `data` is the same for programs. */
export class MistakesError extends OperatorError {
  readonly data: object;

  constructor(groups: Group[], count: number) {
    const shown = groups.slice(0, maxLines);
    const examples = Math.min(maxExamples, Math.floor(maxLines / shown.length) - 1);
    const lines = shown.flatMap((group) => [headingOf(group), ...group.first.slice(0, examples).map(exampleOf)]);
    const left = groups.slice(maxLines).reduce((sum, { rows }) => sum + rows, 0);
    if (left > 0) lines.push(`and ${groups.length - maxLines} more kinds of mistakes (${rowsOf(left)})`);
    const isCut = left > 0 || shown.some(({ rows }) => rows > examples);
    if (isCut) lines.push(`--mistakes FILE writes all ${count} mistakes to a file.`);
    super([...lines, 'Nothing was changed. Correct the mistakes, then try again.'].join('\n'));
    const kinds = groups.map(({ kind: { file, column, kind }, rows, first }) => {
      const records = first.map(({ line, id, message, value }) => ({ line, id, value, mistake: message ?? kind }));
      return { file, column, mistake: kind, rows, first: records };
    });
    this.data = { mistakes: count, kinds };
  }
}

function headingOf({ kind: { file, column, kind }, rows }: Group): string {
  const place = [file, column].filter((part) => part != null).join(', ');
  return `${place && `${place}: `}${kind} (${rowsOf(rows)})`;
}

function exampleOf({ line, id, value, kind, message }: Mistake): string {
  const place = [`line ${line}`, ...(id == null ? [] : [`id ${id}`])].join(', ');
  const detail = message ?? (value == null ? '' : JSON.stringify(value));
  const shown = detail === kind ? '' : detail;
  return `  ${place}${shown && `: ${shown.length > maxShownValue ? `${shown.slice(0, maxShownValue)}…` : shown}`}`;
}

const rowsOf = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;
