import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '../localization/locale.ts';

/** What errors and log lines say of the request they belong to, where no context reaches. */
export interface RequestScope {
  id: string;
  locale: Locale;
  /** When the request must be done with the database, in ms of performance.now(); set as it is first asked for. */
  deadline?: number;
}

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = storage.run.bind(storage);

/** The scope of the request being answered; undefined outside of one. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

/** The locale of the request being answered. */
export function currentLocale(): Locale {
  return currentScope()?.locale ?? 'en';
}

/** How long a request may take in the database, all its statements together, in ms. */
const databaseTime = 5_000;

/** When the request being answered must be done with the database; undefined outside of one. */
export function currentDeadline(): number | undefined {
  const scope = currentScope();
  if (scope !== undefined) scope.deadline ??= performance.now() + databaseTime;
  return scope?.deadline;
}
