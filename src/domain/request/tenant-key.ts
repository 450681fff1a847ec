/** A row of one company: what tenant batches are keyed by, so that each of their statements names the company. */
export interface TenantKey {
  companyId: number;
  id: number;
}

export interface TenantKeys {
  companyId: number;
  ids: readonly number[];
}

/** The keys of a batch as its statement takes them: a request acts for one company, so all of them are that one's. */
export function tenantKeys(keys: readonly TenantKey[]): TenantKeys {
  const [{ companyId } = { companyId: 0 }] = keys;
  return { companyId, ids: keys.map((key) => key.id) };
}
