import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { insertLogEntry } from '../../domain/admin-log.ts';
import type { Database } from '../../domain/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { Output, type Pages, type Streams } from './output.ts';

/** Where a command finds a database other than that of the environment. */
interface Target {
  databaseUrl?: string;
  dataDir?: string;
}

interface OpenOptions {
  target?: Target;
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
  text: string;
  /** Printed with --json, and stored in the log of changes. */
  data: Record<string, unknown>;
  /** Whether `data` stays out of the log. */
  isSecret?: boolean;
  /** What a person may want to do next. */
  note?: string;
  /** Whether to undo everything: a trial. */
  isTrial?: boolean;
  /** Whether to print before the commit. */
  isPreview?: boolean;
}

class Undo extends Error {}

/** What commands share: the database, the output, and the log of changes. */
export class Admin {
  readonly output: Output;
  readonly host: Host;
  #command: CommandUnknownOpts = new Command();

  constructor(host: Host) {
    this.host = host;
    this.output = new Output(host.streams);
  }

  get signal(): AbortSignal {
    return this.host.signal;
  }

  get isJson(): boolean {
    return this.#command.optsWithGlobals().json === true;
  }

  /** Who makes the change. */
  get actor(): string {
    return String(this.#command.optsWithGlobals().as ?? this.host.user);
  }

  /** A command with its help; its name is the last word of its path. */
  command(path: string, description: string, ...examples: string[]): Command {
    return new Command(path.split(' ').at(-1))
      .description(description)
      .addHelpText('after', this.examples(...examples.map((example) => `${path} ${example}`)));
  }

  examples(...lines: string[]): string {
    return `\nExamples:\n${lines.map((line) => `  ${this.host.programName} ${line}`.trimEnd()).join('\n')}`;
  }

  /** Takes the command that is about to run. */
  begin(command: CommandUnknownOpts): void {
    this.#command = command;
  }

  async withDatabase<Result>(work: (db: Database) => Promise<Result>, options?: OpenOptions): Promise<Result> {
    const { db, close } = await this.host.open(options);
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  /** Prints the rows that `work` reads. */
  list(work: (db: Database) => Promise<Pages> | Pages, empty: string, options?: OpenOptions): Promise<void> {
    return this.withDatabase(async (db) => this.output.list(await work(db), empty, this.isJson), options);
  }

  /** Does `work` in one transaction together with its entry in the log of changes, then prints its report. */
  async change(work: (transaction: Database) => Promise<Report>): Promise<void> {
    await this.withDatabase(async (db) => {
      let report: Report | undefined;
      try {
        await inTransaction(db, async (transaction) => {
          report = await work(transaction);
          if (report.isPreview) await this.report(report);
          if (report.isTrial) throw new Undo();
          await this.log(transaction, report.isSecret ? {} : report.data);
        });
      } catch (error) {
        if (!(error instanceof Undo)) throw error;
      }
      if (report !== undefined && !report.isPreview) await this.report(report);
    });
  }

  async report({ text, data, note }: Report): Promise<void> {
    await this.output.print(this.isJson ? JSON.stringify(data) : text);
    if (note !== undefined) this.output.note(note);
  }

  async log(db: Database, result: Record<string, unknown>): Promise<void> {
    const names: string[] = [];
    for (let each: CommandUnknownOpts | null = this.#command; each?.parent; each = each.parent)
      names.unshift(each.name());
    // The URL of a database has its password.
    const { to: _url, ...options } = this.#command.opts() as Record<string, unknown>;
    const details = { arguments: this.#command.args, options, result };
    await insertLogEntry(db, { actor: this.actor, command: names.join(' '), details });
  }
}
