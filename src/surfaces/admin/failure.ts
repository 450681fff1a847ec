import { inspect } from 'node:util';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../kernel/errors/database-unavailable.ts';
import { StartError } from '../../kernel/errors/start-error.ts';

/** What went wrong, in a sentence that says what to do; only a mistake of the program itself comes with its stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isDatabaseUnavailable(error)) {
    return `The database cannot serve now, and nothing was changed: ${(error as Error).message}. Try again once it does.`;
  }
  if (error instanceof pg.DatabaseError) {
    return `The database refused, and nothing was changed: ${error.message} (${error.code}).`;
  }
  return `This is a mistake of the program, and nothing was changed. ${inspect(error)}`;
}
