import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { insertLogEntry } from '../../domain/admin-log.ts';
import type { Database } from '../../domain/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { Output, type Row, type Streams } from './output.ts';

interface OpenOptions {
  /** Whether the database must have all migrations; true by default. */
  migrated?: boolean;
}

export interface Host {
  streams: Streams;
  /** The author of changes in the log, unless --as is set. */
  user: string;
  /** The program's name in help texts. */
  programName: string;
  /** Opens the database for a command, whose name the session has. */
  open(options: OpenOptions & { command: string }): Promise<{ db: Database; close(): Promise<void> }>;
}

interface Report {
  /** Printed without --json. Undefined if the command has printed its own report. */
  text?: string;
  /** Printed with --json, and stored in the log of changes. */
  data: Record<string, unknown>;
  /** Stored in the log of changes beside `data`. */
  logged?: Record<string, unknown>;
  /** Whether to log the change; true by default. */
  changed?: boolean;
  /** Printed to standard error without --json, so that the text stays alone on standard output. */
  note?: string;
}

/** What all commands share: the program, the database, the output, and the log of changes. */
export class Admin {
  readonly output: Output;
  readonly host: Host;
  readonly #program: Command;
  #command: CommandUnknownOpts = new Command();

  constructor(host: Host, program: Command) {
    this.host = host;
    this.output = new Output(host.streams);
    this.#program = program.hook('preAction', (_program, command) => {
      this.#command = command;
      if (this.isJson && command.opts().excel) command.error('error: --excel writes CSV, and --json does not');
    });
  }

  get isJson(): boolean {
    return this.#command.optsWithGlobals().json === true;
  }

  /** Adds a command with its help. */
  command(name: string, description: string, ...examples: string[]) {
    return this.#add(this.#program, name, description, examples);
  }

  /** Commands for one noun; returns the function that adds them. */
  group(noun: string, description: string) {
    const group = this.#program
      .command(noun)
      .showHelpAfterError(`See: ${this.host.programName} ${noun} --help`)
      .description(description);
    return (verb: string, description: string, ...examples: string[]) =>
      this.#add(group, `${noun} ${verb}`, description, examples);
  }

  #add(parent: Command, path: string, description: string, examples: string[]) {
    const lines = examples.map((end) => `  ${this.host.programName} ${path} ${end}`.trimEnd());
    return parent
      .command(path.split(' ').at(-1) as string)
      .showHelpAfterError(`See: ${this.host.programName} ${path} --help`)
      .description(description)
      .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }

  async withDatabase<Result>(work: (db: Database) => Promise<Result>, options?: OpenOptions): Promise<Result> {
    const { db, close } = await this.host.open({ ...options, command: this.#path });
    try {
      return await work(db);
    } finally {
      this.output.progress('');
      await close();
    }
  }

  list(read: (db: Database) => Promise<Row[]>, options?: OpenOptions): Promise<void> {
    return this.withDatabase(async (db) => this.output.list(await read(db), this.isJson), options);
  }

  /**
   * Runs `work` and logs its change in one transaction, then prints the report. With --dry-run, rolls the transaction
   * back.
   */
  change(work: (transaction: Database) => Promise<Report>): Promise<void> {
    return this.withDatabase(async (db) => {
      const undo = new Error('--dry-run');
      let report: Report | undefined;
      const done = inTransaction(db, async (transaction) => {
        report = await work(transaction);
        if (this.#isTrial) throw undo;
        if (report.changed !== false) await this.log(transaction, { ...report.data, ...report.logged });
      });
      await done.catch((error) => {
        if (error !== undo) throw error;
      });
      if (report?.text !== undefined) this.report(report);
      if (report?.note !== undefined && !this.isJson) this.output.error(report.note);
    });
  }

  report({ text, data }: Report): void {
    const heading = this.#isTrial ? 'Nothing was written. It would be:\n' : '';
    this.output.print(this.isJson ? JSON.stringify(data) : `${heading}${text}`);
  }

  get #isTrial(): boolean {
    return this.#command.opts().dryRun === true;
  }

  /** The words of the command, such as `item import`. */
  get #path(): string {
    const names: string[] = [];
    for (let each: CommandUnknownOpts | null = this.#command; each?.parent; each = each.parent)
      names.unshift(each.name());
    return names.join(' ');
  }

  /** Logs what the command did, without a token. */
  async log(db: Database, { token: _token, ...result }: Report['data']): Promise<void> {
    const by = String(this.#command.optsWithGlobals().as ?? this.host.user);
    const details = { arguments: this.#command.args, options: this.#command.opts(), result };
    await insertLogEntry(db, { by, command: this.#path, details });
  }
}
