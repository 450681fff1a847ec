import type { Logger } from 'pino';
import { hasCountries } from '../domain/reference/reference-data.ts';
import type { Database } from '../domain/tables.ts';
import type { Health } from '../platform/http/health.ts';

/** For how long a response of the database counts, in ms. */
const readinessTtl = 1_000;

const missingData = 'countries: run npm run -s admin -- seed, or in the image: node dist/src/admin.js seed';

/** This process's health. It is ready while the database responds and has reference data, and until it is stopped. */
export function ownHealth(db: Database, takesWork: () => boolean, log: Logger): Health {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let check = Promise.resolve(false);
  let missing: string | undefined;

  const isUsable = () => {
    if (performance.now() - checkedAt <= readinessTtl) return check;
    checkedAt = performance.now();
    check = hasCountries(db).then(
      (hasData) => {
        if (!hasData && missing === undefined) log.warn({ missing: missingData }, 'the reference data is missing');
        missing = hasData ? undefined : missingData;
        return hasData;
      },
      () => false,
    );
    return check;
  };
  return {
    isLive: async () => true,
    isReady: async () => (await isUsable()) && takesWork(),
    missing: () => missing,
  };
}
