import type { Locale } from '../../kernel/localization/locale.ts';
import type { ReferenceSnapshot } from '../reference/reference-snapshot.ts';
import type { Database } from '../tables.ts';
import type { Loaders } from './loaders.ts';

/** Whom a request acts for. Every tenant query filters by this company, never by an id from the input. */
export interface Caller {
  tokenId: number;
  partnerId: number;
  companyId: number;
}

/** What travels with a request through resolvers and queries, on both surfaces alike. */
export interface RequestContext {
  /** Who the request's token stands for, undefined without a live one; looked up when first asked, once a request. */
  authenticate(): Promise<Caller | undefined>;
  /** Counts writes against the caller's rate limits, beyond the request itself. Throws `rate_limited`. */
  countWrites(writes: number): Promise<void>;
  db: Database;
  /** Says whether the answer holds reference data alone, so that whoever asks the same gets the same. */
  declarePublic(isPublic: boolean): void;
  /** A header of the request by its lower-case name; undefined when it has none of it. */
  header(name: string): string | undefined;
  loaders: Loaders;
  locale: Locale;
  /** Records a page of a lookup has. */
  lookupPageSize: number;
  /** The reference data, one version of it throughout the request. */
  reference: ReferenceSnapshot;
  /** Sets a header of the answer, whatever its surface. */
  setHeader(name: string, value: string): void;
}
