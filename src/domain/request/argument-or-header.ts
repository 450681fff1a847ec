import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';
import type { RequestContext } from './context.ts';

/** The value of an argument, with a header as its default. Throws `invalid_parameter` for a malformed value. */
export function argumentOrHeader(
  { response }: RequestContext,
  name: Expectation,
  argument: string | null | undefined,
  header: string,
  parse: (text: string) => string | undefined,
): string | undefined {
  const text = argument ?? response.req.headers[header.toLowerCase()]?.toString();
  const value = text === undefined ? undefined : parse(text);
  if (value !== undefined || text === undefined) return value;
  const parameter = typeof argument === 'string' ? name : header;
  throw new AppError('invalid_parameter', { values: { parameter, expected: name } });
}
