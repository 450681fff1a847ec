import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';

/** An integer in decimal digits, limited to finite numbers; undefined for anything else. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** An id that no record has. */
export const unknownId = 0;

/** An id as GraphQL's 32-bit Int; larger ones, which the database cannot hold either, become `unknownId`. */
export function toId(integer: number): number {
  return integer === (integer | 0) ? integer : unknownId;
}

/** Rejects parameters or headers (400), with a message for each. */
export function invalidParameters(names: readonly string[], expected: Expectation): AppError {
  const refusals = names.map((field) => ({ code: 'invalid_type' as const, field, values: { expected } }));
  return new AppError('invalid_parameter', { refusals });
}
