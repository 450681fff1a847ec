import { Extensions } from 'type-graphql';
import type { ReferenceLists } from '../reference/reference-data.ts';
import type { Batch, TenantKey } from './batches.ts';
import { requireCaller } from './caller.ts';
import type { RequestContext } from './context.ts';

/** Finds the record of a type that has an id; undefined when there is none that the caller may see. */
export type FindEntity = (id: number, context: RequestContext) => Promise<object | undefined>;

/** Decorates a type of reference data that other subgraphs may refer to: its key in a federation is its id. */
export function ReferenceEntity(byId: (lists: ReferenceLists) => ReadonlyMap<number, object>): ClassDecorator {
  return entity(async (id, { reference }) => byId(reference).get(id));
}

/** Decorates a type of the caller's company, which needs a token: the records of other companies stay hidden. */
export function TenantEntity(byId: Batch<TenantKey, object | undefined>): ClassDecorator {
  return entity(async (id, context) => {
    const { companyId } = await requireCaller(context);
    return context.loaders.of(byId).load({ companyId, id });
  });
}

// The printed and introspected schema has no extensions.
function entity(findEntity: FindEntity): ClassDecorator {
  return Extensions({ findEntity });
}
