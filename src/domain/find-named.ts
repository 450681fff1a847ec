import { OperatorError } from '../kernel/errors/operator-error.ts';

const maxSuggested = 3;

/** The id that an argument names, as the database stores ids; 0, which no row has, for a name. */
export function idOf(idOrName: string): number {
  const id = /^\d{1,10}$/.test(idOrName) ? Number(idOrName) : 0;
  return id < 2 ** 31 ? id : 0;
}

/**
 * Finds the row with exactly this name, or else the only row with it in another case. Throws an OperatorError that lists
 * them if there are several, and similar names if there are none.
 */
export function findNamed<Row>(
  rows: readonly Row[],
  name: string,
  nameOf: (row: Row) => string,
  { noun, advice }: { noun: string; advice: string },
): Row {
  const exact = rows.find((row) => nameOf(row) === name);
  if (exact !== undefined) return exact;
  const wanted = name.trim().toLowerCase();
  const matches = rows.filter((row) => nameOf(row).toLowerCase() === wanted);
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  const names = (found: readonly Row[], type: 'conjunction' | 'disjunction') =>
    new Intl.ListFormat('en-GB', { type }).format(found.map((row) => `"${nameOf(row)}"`));
  if (matches.length > 1)
    throw new OperatorError(`"${name}" is ambiguous: there are ${names(matches, 'conjunction')}. Use its exact name.`);
  const similar = rows.filter((row) => isSimilar(nameOf(row).toLowerCase(), wanted)).slice(0, maxSuggested);
  const suggestion = similar.length > 0 ? ` Did you mean ${names(similar, 'disjunction')}?` : '';
  throw new OperatorError(`There is no ${noun} "${name}".${suggestion} ${advice}`);
}

const isSimilar = (name: string, wanted: string) =>
  wanted !== '' && (name.includes(wanted) || wanted.includes(name) || name.startsWith(wanted.slice(0, 3)));
