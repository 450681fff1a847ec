import type { Request } from 'express';
import { AppError } from '../errors/app-error.ts';
import { type Expectation, messageOf } from '../errors/catalog.ts';
import { currentLocale } from '../request/scope.ts';

const maxInt = 2 ** 31 - 1;

/** The query parameters in the order they were first named; of a repeated one the last value counts. */
export function queryParameters(request: Request): Map<string, string> {
  const query = request.originalUrl.split('?').slice(1).join('?');
  return new Map(new URLSearchParams(query));
}

/**
 * An integer written in decimal; undefined for anything else. What GraphQL's Int cannot hold becomes its largest or
 * smallest: ids and pages end well before, so either way it names nothing.
 */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  return Math.max(-maxInt, Math.min(maxInt, Number(text)));
}

/** Refuses query parameters by name (400), saying what each must be. */
export function refuseParameters(names: readonly string[], expected: Expectation): never {
  const message = messageOf('invalid_type', currentLocale(), { expected });
  throw new AppError('invalid_parameter', {
    values: { parameter: names.join(', '), expected },
    fields: Object.fromEntries(names.map((name) => [name, [message]])),
  });
}
