import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';

/** Undefined for anything but decimal digits. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** An id that no record has. */
export const unknownId = 0;

/** Converts an id to GraphQL's 32-bit Int. Larger ids, which the database cannot store, become `unknownId`. */
export function toId(integer: number | string): number {
  return typeof integer === 'number' && integer === (integer | 0) ? integer : unknownId;
}

export function invalidParameters(names: readonly string[], expected: Expectation): AppError {
  const validationErrors = names.map((name) => ({ code: 'invalid_type' as const, path: [name], values: { expected } }));
  return new AppError('invalid_parameter', { validationErrors });
}
