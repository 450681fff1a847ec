import { createParameterDecorator } from 'type-graphql';
import { AppError } from '../errors/app-error.ts';
import type { RequestContext } from '../request/context.ts';
import type { Batch } from '../request/loaders.ts';
import { findCaller } from './token.queries.ts';
import { hashToken, parseBearer } from './token.ts';

/** Whom a request acts for. Every tenant query filters by this company, never by an id from the input. */
export interface Caller {
  partnerId: number;
  companyId: number;
}

/** The caller of the request. Throws `unauthenticated` without a live token; looked up once a request. */
export async function requireCaller(context: RequestContext): Promise<Caller> {
  const token = parseBearer(context.authorization);
  const caller = token && (await context.loaders.of(callersByTokenHash).load(hashToken(token)));
  if (!caller) {
    throw new AppError('unauthenticated');
  }
  return caller;
}

/** Resolver parameter: the caller of the request, which closes the field to anyone without a live token. */
export function CurrentCaller() {
  return createParameterDecorator<RequestContext>(({ context }) => requireCaller(context));
}

const callersByTokenHash: Batch<string, Caller | undefined> = {
  load: (db, hashes) => Promise.all(hashes.map((hash) => findCaller(db, hash))),
};
