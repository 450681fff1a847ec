import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';
import { insertLogEntry } from '../../domain/admin-log.ts';
import { toSnakeCaseKeys } from '../../domain/files/columns.ts';
import type { Database } from '../../domain/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

export interface Host {
  streams: Streams;
  user: string;
  /** `command` names the session in PostgreSQL. */
  open(command: string, options?: { migrated?: boolean }): Promise<{ db: Database; close(): Promise<void> }>;
}

interface Report {
  text: string;
  /** Printed with --json, and logged without `token`. */
  data: Record<string, unknown>;
  /** Printed to standard error, so that standard output has the text alone. */
  note?: string;
  /** False to log nothing. */
  changed?: boolean;
}

/** Thrown to roll the transaction back. */
class DryRun extends Error {
  readonly report: Report;

  constructor(report: Report) {
    super('--dry-run');
    this.report = report;
  }
}

export class Admin {
  readonly host: Host;
  readonly program: Command;
  #command: CommandUnknownOpts = new Command();

  constructor(host: Host, program: Command) {
    this.host = host;
    this.program = program;
    program.hook('preAction', (_program, command) => {
      this.#command = command;
    });
  }

  get isJson(): boolean {
    return this.#command.optsWithGlobals().json === true;
  }

  print(text: string): void {
    this.host.streams.stdout.write(`${text}\n`);
  }

  async withDatabase<Result>(
    work: (db: Database) => Promise<Result>,
    options?: { migrated: boolean },
  ): Promise<Result> {
    const { db, close } = await this.host.open(this.#path, options);
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  list(read: (db: Database) => Promise<object[]>, options?: { migrated: boolean }): Promise<void> {
    return this.withDatabase(async (db) => {
      const rows = await read(db);
      this.print(this.isJson ? JSON.stringify(rows.map(toSnakeCaseKeys)) : formatTable(rows));
    }, options);
  }

  /** Runs `work` and logs its change in one transaction, then prints the report. */
  change(work: (transaction: Database) => Promise<Report>): Promise<void> {
    return this.withDatabase(async (db) => {
      const isDryRun = this.#command.opts().dryRun === true;
      const done = inTransaction(db, async (transaction) => {
        const report = await work(transaction);
        if (isDryRun) throw new DryRun(report);
        if (report.changed !== false) await this.log(transaction, report.data);
        return report;
      });
      const { text, data, note } = await done.catch((error) => {
        if (error instanceof DryRun) return error.report;
        throw error;
      });
      const heading = isDryRun ? 'Nothing was written. It would be:\n' : '';
      this.print(this.isJson ? JSON.stringify(data) : heading + text);
      if (note !== undefined && !this.isJson) this.host.streams.stderr.write(`${note}\n`);
    });
  }

  /** For example `token issue`. */
  get #path(): string {
    const { parent } = this.#command;
    return [...(parent === this.program ? [] : [parent?.name()]), this.#command.name()].join(' ');
  }

  async log(db: Database, { token: _token, ...result }: Report['data']): Promise<void> {
    const by = String(this.#command.optsWithGlobals().as ?? this.host.user);
    const details = { arguments: this.#command.args, options: this.#command.opts(), result };
    await insertLogEntry(db, { by, command: this.#path, details });
  }
}

export function formatTable(rows: readonly object[]): string {
  if (rows.length === 0) return 'None.';
  const heading = Object.keys(toSnakeCaseKeys(rows[0] as object));
  const cells = rows.map((row) => Object.values(row).map(formatCell));
  return markdownTable([heading, ...cells], { stringLength: stringWidth });
}

// Control characters could control the terminal, or end the cell.
function formatCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
