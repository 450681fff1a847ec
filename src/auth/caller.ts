import { createParameterDecorator } from 'type-graphql';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import { findCaller } from './token.queries.ts';
import { hashToken, parseBearer } from './token.ts';

/** Who an `Authorization` header stands for: undefined without a live token. */
export async function authenticate(db: Database, authorization: string | undefined): Promise<Caller | undefined> {
  const token = parseBearer(authorization);
  return token === undefined ? undefined : findCaller(db, hashToken(token));
}

/** The caller of the request. Throws `unauthenticated` without a live token. */
export async function requireCaller(context: RequestContext): Promise<Caller> {
  const caller = await context.authenticate();
  if (caller === undefined) throw new AppError('unauthenticated');
  return caller;
}

/** Resolver parameter: the caller of the request, which closes the field to anyone without a live token. */
export function CurrentCaller() {
  return createParameterDecorator<RequestContext>(({ context }) => requireCaller(context));
}
