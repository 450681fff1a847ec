import { AppError } from '../../../kernel/errors/app-error.ts';

/** Largest page of items. */
const maxFirst = 100;

/** Refuses a page length out of 1 to 100. */
export function ensurePageLength(first: number): void {
  if (first < 1 || first > maxFirst) {
    throw new AppError('invalid_parameter', { values: { parameter: 'first', expected: 'pageLength' } });
  }
}

/** The opaque cursor of an item. */
export function encodeCursor(id: number): string {
  return Buffer.from(`item:${id}`).toString('base64url');
}

/** The id that a cursor stands for; 0, before every item, where none is given. */
export function decodeCursor(cursor: string | null | undefined): number {
  if (cursor === null || cursor === undefined) return 0;
  const id = /^item:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined || Number(id) > 2 ** 31 - 1) {
    throw new AppError('invalid_parameter', { values: { parameter: 'after', expected: 'cursor' } });
  }
  return Number(id);
}
