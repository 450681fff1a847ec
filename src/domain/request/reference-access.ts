import { DirectiveLocation, GraphQLDirective } from 'graphql';
import { type AuthCheckerFn, Authorized, Directive } from 'type-graphql';
import { requireCaller } from './caller.ts';
import type { RequestContext } from './context.ts';

/** Role of root fields of reference data: open to all, unless the operator closed them. */
const referenceRole = 'reference';

/** Marks root fields of reference data in the schema. */
export const referenceDirective = new GraphQLDirective({
  name: 'reference',
  description:
    'Reference data: the same for every caller, so a response that selects nothing else may be cached and shared.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
});

/** Decorates root fields of reference data: who may read them, and that responses with them may be cached. */
export function Reference(): MethodDecorator {
  return (target, key, descriptor) => {
    Authorized(referenceRole)(target, key as string, descriptor as never);
    Directive(`@${referenceDirective.name}`)(target, key as string, descriptor as never);
  };
}

export type ReferenceAccess = 'public' | 'partner';

/** Checks fields of reference data: with access `partner` they need a token like any other. */
export function createAuthChecker(
  referenceAccess: ReferenceAccess,
): AuthCheckerFn<RequestContext, typeof referenceRole> {
  return async ({ context }) => {
    if (referenceAccess === 'partner') await requireCaller(context);
    return true;
  };
}
