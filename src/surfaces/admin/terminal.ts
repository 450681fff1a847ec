import { createInterface } from 'node:readline/promises';
import { StartError } from '../../kernel/errors/start-error.ts';

/** How often a line of progress is drawn, in ms. */
const drawInterval = 100;

type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/** The standard streams: results on standard output, whatever is for a person alone on standard error. */
export class Terminal {
  readonly #streams: Streams;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(streams: Streams) {
    this.#streams = streams;
    // Whoever reads the output has had enough, as `head` has.
    streams.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      this.complain(`The output could not be written: ${error.message}. What was asked for may be done.`);
      process.exit(1);
    });
  }

  /** Whether standard output is a terminal, and so a person reads it. */
  get isRead(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  get input(): NodeJS.ReadStream {
    return this.#streams.stdin;
  }

  /** Prints a result; resolves when it is written. */
  print(text: string): Promise<void> {
    this.erase();
    return new Promise((resolve) => this.#streams.stdout.write(`${text}\n`, () => resolve()));
  }

  /** Says something to a person; nothing to a script. */
  note(text: string): void {
    if (this.#streams.stderr.isTTY) this.complain(text);
  }

  complain(text: string): void {
    this.erase();
    this.#streams.stderr.write(`${text}\n`);
  }

  /** Shows how far long work has come, in a terminal alone, in one line that the next one replaces. */
  progress(text: string): void {
    const { stderr } = this.#streams;
    if (!stderr.isTTY || performance.now() - this.#drawnAt < drawInterval) return;
    this.#drawnAt = performance.now();
    stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`);
  }

  /** Takes the line of progress away. */
  erase(): void {
    if (this.#drawnAt > 0) this.#streams.stderr.write('\r\x1b[2K');
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  /** Asks a person before what cannot be undone; a script, which nobody watches, means what it says. */
  async confirm(question: string, signal: AbortSignal): Promise<void> {
    const { stdin, stderr } = this.#streams;
    if (!stdin.isTTY || !stderr.isTTY) return;
    // Not its own line editing, which takes Ctrl-C for itself.
    const prompt = createInterface({ input: stdin, output: stderr, terminal: false });
    try {
      const answer = await prompt.question(`${question} [y/N] `, { signal });
      if (!/^y(es)?$/i.test(answer.trim())) throw new StartError('Nothing was changed.');
    } finally {
      prompt.close();
    }
  }
}
