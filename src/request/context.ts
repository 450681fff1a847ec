import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Locale } from '../localization/locale.ts';
import type { Loaders } from './loaders.ts';

/** What travels with a request through resolvers and queries, on both surfaces alike. */
export interface RequestContext {
  /** The `Authorization` header; who it stands for is looked up when a field needs it (auth/caller.ts). */
  authorization: string | undefined;
  db: Database;
  loaders: Loaders;
  locale: Locale;
  /** Records a page of a lookup has. */
  lookupPageSize: number;
  log: Logger;
}
