import type { Request } from 'express';
import { AppError } from '../errors/app-error.ts';
import { type Expectation, messageOf } from '../errors/catalog.ts';
import { currentLocale } from '../request/scope.ts';

/** The query parameters in the order they were first named; of a repeated one the last value counts. */
export function queryParameters(request: Request): Map<string, string> {
  const query = request.originalUrl.split('?').slice(1).join('?');
  return new Map(new URLSearchParams(query));
}

/** An integer written in decimal, the largest or smallest number where it is beyond; undefined for anything else. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Refuses query parameters by name (400), saying what each must be. */
export function refuseParameters(names: readonly string[], expected: Expectation): never {
  const message = messageOf('invalid_type', currentLocale(), { expected });
  throw new AppError('invalid_parameter', {
    values: { parameter: names.join(', '), expected },
    fields: Object.fromEntries(names.map((name) => [name, [message]])),
  });
}
