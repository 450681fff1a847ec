import stringWidth from 'string-width';

const gap = '  ';
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Makes tables of columns as wide as their widest cell, Arabic and its vowel signs included. Called again, it goes on with
 * the same columns.
 */
export function createTable(names: string[]): (rows: string[][]) => string {
  const heading = names.map((name) => name.replaceAll('_', ' ').toUpperCase());
  let widths: number[] | undefined;
  return (rows) => {
    const isFirst = widths === undefined;
    const all = isFirst ? [heading, ...rows] : rows;
    const columnWidths =
      widths ?? names.map((_, index) => Math.max(...all.map((row) => stringWidth(row[index] ?? ''))));
    widths = columnWidths;
    return all
      .map((row) => row.map((cell, index) => pad(cell, columnWidths[index] ?? 0, index === names.length - 1)).join(gap))
      .join('\n');
  };
}

// The last cell needs no padding, and nothing follows it that a terminal could draw to the left of Arabic.
function pad(cell: string, width: number, isLast: boolean): string {
  if (isLast) return cell;
  const isolated = rightToLeft.test(cell) ? `\u2068${cell}\u2069` : cell;
  return isolated + ' '.repeat(Math.max(0, width - stringWidth(cell)));
}
