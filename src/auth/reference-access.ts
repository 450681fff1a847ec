import type { AuthCheckerFn } from 'type-graphql';
import type { RequestContext } from '../request/context.ts';
import { requireCaller } from './caller.ts';

/** Role of `@Authorized` on root fields of reference data: open to all, unless the operator closed them. */
export const referenceRole = 'reference';

export type ReferenceAccess = 'public' | 'partner';

/** Checks fields marked `@Authorized(referenceRole)`: with access `partner` they need a token like any other. */
export function createAuthChecker(
  referenceAccess: ReferenceAccess,
): AuthCheckerFn<RequestContext, typeof referenceRole> {
  return async ({ context }) => {
    if (referenceAccess === 'partner') await requireCaller(context);
    return true;
  };
}
