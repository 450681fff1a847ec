import { DirectiveLocation, GraphQLDirective } from 'graphql';
import { Authorized, createParameterDecorator, Directive } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';

/** Parameter decorator: the caller of the request. Throws `unauthenticated` without a valid token. */
export function CurrentCaller() {
  return createParameterDecorator<RequestContext>(({ context }) => context.requireCaller());
}

export const referenceDirective = new GraphQLDirective({
  name: 'reference',
  description: 'Reference data, the same for every caller. Shared caches may store responses that select nothing else.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
});

/** Decorates root fields of reference data, which need a token only with `REFERENCE_ACCESS=partner`. */
export function Reference(): MethodDecorator {
  return (target, key, descriptor) => {
    Authorized()(target, key as string, descriptor as never);
    Directive(`@${referenceDirective.name}`)(target, key as string, descriptor as never);
  };
}
