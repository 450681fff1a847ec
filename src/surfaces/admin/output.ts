import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';
import { toSnakeCaseKeys } from '../../domain/files/columns.ts';

export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/** Rows as a table. */
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
