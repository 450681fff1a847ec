import type { Readable } from 'node:stream';
import { StartError } from '../../../../kernel/errors/start-error.ts';
import type { Database } from '../../../tables.ts';
import { findRepeatedIds, findRepeats, findTaggedProducts, findTakenIds } from './conflict.queries.ts';
import {
  findLastId,
  insertItems,
  lockItems,
  passItemIds,
  type Range,
  writeItemsById,
} from './imported-item.queries.ts';
import { readItemFile } from './item-file.ts';
import { Mistakes } from './mistake.ts';
import {
  analyzeStagedItems,
  countStagedItems,
  createStagedItems,
  type Staging,
  stageItems,
} from './staged-item.queries.ts';

/** What an id can be at most. */
const highestId = 2 ** 31 - 1;

/** Lines that are written by one statement. */
const rangeSize = 10_000;

export interface ImportOptions {
  companyId: number;
  delimiter: string;
  /** Whether items that there are, by their id, are changed; else they are a mistake. */
  mayUpdate: boolean;
  /** Whether rows without an id may repeat another, or an item; else that is a mistake. */
  mayRepeat: boolean;
  /** Whether nothing is written, whatever is found. */
  isTrial: boolean;
  signal: AbortSignal;
  onProgress(progress: { step: 'reading' | 'checking' | 'writing'; rows: number; of?: number }): void;
}

interface Imported {
  added: number;
  changed: number;
  unchanged: number;
}

export type ImportResult = { imported: Imported } | { mistakes: Mistakes };

/** Imports the items of a CSV file: all of them or, when there is any mistake, which it returns, none. */
export async function importItems(db: Database, input: Readable, options: ImportOptions): Promise<ImportResult> {
  const mistakes = new Mistakes();
  const { onProgress, signal } = options;
  try {
    return await db.transaction().execute(async (transaction) => {
      const staging = await createStagedItems(transaction);
      let rows = 0;
      for await (const items of readItemFile(input, { delimiter: options.delimiter, mistakes, signal })) {
        await stageItems(staging, items);
        rows += items.length;
        onProgress({ step: 'reading', rows });
      }
      onProgress({ step: 'checking', rows });
      await analyzeStagedItems(staging);
      await lockItems(staging);
      await findConflicts(staging, mistakes, options);
      if (mistakes.total > 0) throw new Undo({ mistakes });
      const imported = await writeItems(staging, options);
      if (options.isTrial) throw new Undo({ imported });
      await passItemIds(staging);
      return { imported };
    });
  } catch (error) {
    if (error instanceof Undo) return error.result;
    throw error;
  }
}

/** Thrown in the transaction to undo it. */
class Undo extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super();
    this.result = result;
  }
}

async function findConflicts(
  staging: Staging,
  mistakes: Mistakes,
  { companyId, mayUpdate, mayRepeat, signal }: ImportOptions,
): Promise<void> {
  await findRepeatedIds(staging, mistakes);
  await findTakenIds(staging, mistakes, companyId, mayUpdate);
  if (mayUpdate) await findTaggedProducts(staging, mistakes, companyId);
  if (!mayRepeat) await findRepeats(staging, mistakes, companyId);
  signal.throwIfAborted();
}

async function writeItems(staging: Staging, { companyId, signal, onProgress }: ImportOptions): Promise<Imported> {
  const { total, existing, unnamed, lastLine } = await countStagedItems(staging, companyId);
  let written = 0;
  const note = (rows: number) => {
    signal.throwIfAborted();
    written += rows;
    onProgress({ step: 'writing', rows: written, of: total });
  };
  // Rows with an id first: the others get ids that are beyond.
  for (const range of rangesTo(lastLine)) note(await writeItemsById(staging, companyId, range));
  let lastId = await findLastId(staging);
  if (lastId + unnamed > highestId) {
    throw new StartError(
      `Ids that are left: ${highestId - lastId}; rows that need one: ${unnamed}. Nothing was changed.`,
    );
  }
  for (const range of rangesTo(unnamed === 0 ? 0 : lastLine)) {
    const rows = await insertItems(staging, companyId, range, lastId);
    lastId += rows;
    note(rows);
  }
  const added = total - existing;
  return { added, changed: written - added, unchanged: total - written };
}

function* rangesTo(lastLine: number): Generator<Range> {
  for (let from = 1; from <= lastLine; from += rangeSize) yield { from, to: from + rangeSize - 1 };
}
