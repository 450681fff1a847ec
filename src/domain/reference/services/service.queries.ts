import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Database } from '../../tables.ts';

/** The ids of services by their codes. Throws a StartError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await db.selectFrom('services').select(['id', 'code']).orderBy('id').execute();
  return [...new Set(codes)].map((code) => {
    const service = services.find((each) => each.code === code);
    if (service !== undefined) return service.id;
    throw new StartError(
      `There is no service "${code}". The services are ${services.map((each) => each.code).join(', ')}.`,
    );
  });
}
