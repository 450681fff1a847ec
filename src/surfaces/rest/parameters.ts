import type { Request } from 'express';
import { z } from 'zod';
import { AppError } from '../../kernel/errors/app-error.ts';
import { type Expectation, messageOf } from '../../kernel/errors/catalog.ts';
import { currentLocale } from '../../kernel/request/scope.ts';

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

/** A parameter that `parseInteger` reads. */
export const integer = z
  .string()
  .transform((text, context) => {
    const parsed = parseInteger(text);
    if (parsed === undefined) context.addIssue('not an integer');
    return parsed ?? z.NEVER;
  })
  .pipe(z.number().meta({ type: 'integer' }));

/** Reads query parameters; those that the schema does not take are refused by name (400), all at once. */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: Map<string, string>,
  expected: Expectation,
): z.output<Schema> {
  const { data, error } = schema.safeParse(Object.fromEntries(parameters));
  if (error) refuseParameters([...new Set(error.issues.map((issue) => String(issue.path[0])))], expected);
  return data as z.output<Schema>;
}

/** Refuses parameters by name (400), saying what each must be. */
export function refuseParameters(names: readonly string[], expected: Expectation): never {
  throw parameterError(names, expected);
}

export function parameterError(names: readonly string[], expected: Expectation): AppError {
  const message = messageOf('invalid_type', currentLocale(), { expected });
  return new AppError('invalid_parameter', {
    values: { parameter: names.join(', '), expected },
    fields: Object.fromEntries(names.map((name) => [name, [message]])),
  });
}
