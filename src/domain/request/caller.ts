import { createParameterDecorator } from 'type-graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Caller, RequestContext } from './context.ts';

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
