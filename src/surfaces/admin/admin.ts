import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { changeOf, insertLogEntry } from '../../domain/admin-log.ts';
import type { Database } from '../../domain/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { Output, type Pages, type Row, type Streams } from './output.ts';

interface OpenOptions {
  /** A database other than that of the environment: what --to or --from names. */
  target?: { databaseUrl?: string; dataDir?: string };
  /** Whether the database must have every migration; it must by default. */
  migrated?: boolean;
}

/** What the process gives to the command line. */
export interface Host {
  streams: Streams;
  /** Aborted by Ctrl-C: long work gives up and undoes what it did. */
  signal: AbortSignal;
  /** Makes changes, unless --as names someone else. */
  user: string;
  /** Tokens for the services that `compare` compares. */
  tokens: { old?: string | undefined; new?: string | undefined };
  /** How the operator calls this program. */
  programName: string;
  open(options?: OpenOptions): Promise<{ db: Database; close(): Promise<void> }>;
}

/** What a command that changes something reports. */
export interface Report {
  /** Printed after the commit. */
  text?: string;
  /** Printed with --json, and stored in the log of changes. */
  data: { id?: number; [name: string]: unknown };
  /** Whether `data` stays out of the log. */
  isSecret?: boolean;
  /** What a person may want to do next. */
  note?: string;
  /** Whether to undo everything: a trial. */
  isTrial?: boolean;
  /** Whether everything is as it was before: nothing to log. */
  isUnchanged?: boolean;
}

class Undo extends Error {
  readonly report: Report;

  constructor(report: Report) {
    super();
    this.report = report;
  }
}

/** What commands share: the program that they belong to, the database, the output, and the log of changes. */
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
    });
  }

  get signal(): AbortSignal {
    return this.host.signal;
  }

  get isJson(): boolean {
    return this.#command.optsWithGlobals().json === true;
  }

  /** A command of the program, with its help. */
  command(name: string, description: string, ...examples: string[]) {
    return this.#add(this.#program, name, description).addHelpText('after', this.examples(name, examples));
  }

  /** Commands for one noun; returns the function that adds them. */
  group(noun: string, description: string) {
    const group = this.#add(this.#program, noun, description).usage('COMMAND');
    return (verb: string, description: string, ...examples: string[]) => {
      const path = `${noun} ${verb}`;
      return this.#add(group, path, description).addHelpText('after', this.examples(path, examples));
    };
  }

  examples(path: string, ends: string[]): string {
    const lines = ends.map((end) => `  ${[this.host.programName, path, end].filter((part) => part !== '').join(' ')}`);
    return `\nExamples:\n${lines.join('\n')}`;
  }

  // Wrong usage names the help of the command.
  #add(parent: Command, path: string, description: string) {
    return parent
      .command(path.split(' ').at(-1) as string)
      .description(description)
      .showHelpAfterError(`See: ${this.host.programName} ${path} --help`);
  }

  async withDatabase<Result>(work: (db: Database) => Promise<Result>, options?: OpenOptions): Promise<Result> {
    const { db, close } = await this.host.open(options);
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  /** Prints the rows that `read` returns. */
  list(read: (db: Database) => Promise<Row[]> | Pages, empty: string, options?: OpenOptions): Promise<void> {
    return this.withDatabase(async (db) => {
      const rows = read(db);
      await this.output.list('then' in rows ? [await rows] : rows, empty, this.isJson);
    }, options);
  }

  /** Asks before what cannot be undone. */
  confirm(question: string): Promise<void> {
    return this.output.confirm(question, this.signal);
  }

  /**
   * Does `work` in one transaction together with its entry in the log of changes, then prints its report. `list` reads the rows
   * that the entry compares before and after the work; if the row of the report's id stays as it is, nothing is logged.
   */
  change(work: (transaction: Database) => Promise<Report>, list?: (db: Database) => Promise<Row[]>): Promise<void> {
    return this.withDatabase(async (db) => {
      const done = inTransaction(db, async (transaction) => {
        const before = await list?.(transaction);
        const report = await work(transaction);
        if (report.isTrial) throw new Undo(report);
        const change = before && changeOf(report.data.id, before, (await list?.(transaction)) ?? []);
        const isUnchanged = report.isUnchanged || (list !== undefined && change === undefined);
        if (!isUnchanged) await this.log(transaction, report.isSecret ? {} : report.data, change);
        return report;
      });
      await this.report(
        await done.catch((error) => {
          if (error instanceof Undo) return error.report;
          throw error;
        }),
      );
    });
  }

  async report({ text, data, note }: Report): Promise<void> {
    if (text !== undefined) await this.output.print(this.isJson ? JSON.stringify(data) : text);
    if (note !== undefined) this.output.note(note);
  }

  async log(db: Database, result: Record<string, unknown>, change?: { old: unknown; new: unknown }): Promise<void> {
    const names: string[] = [];
    for (let each: CommandUnknownOpts | null = this.#command; each?.parent; each = each.parent)
      names.unshift(each.name());
    // The URL of a database has its password.
    const { to: _url, ...options } = this.#command.opts() as Record<string, unknown>;
    const details = { arguments: this.#command.args, options, result, ...change };
    const actor = String(this.#command.optsWithGlobals().as ?? this.host.user);
    await insertLogEntry(db, { actor, command: names.join(' '), details });
  }
}
