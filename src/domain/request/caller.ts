import { createParameterDecorator } from 'type-graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
import { findCaller } from '../partner/tokens/token.queries.ts';
import type { Database } from '../tables.ts';
import type { Caller, RequestContext } from './context.ts';

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
