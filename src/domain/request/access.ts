import { DirectiveLocation, GraphQLDirective, GraphQLInt, GraphQLNonNull } from 'graphql';
import { Authorized, createParameterDecorator, Directive } from 'type-graphql';
import type { RequestContext } from './context.ts';

/** Resolver parameter: the caller of the request, which closes the field to anyone without a live token. */
export function CurrentCaller() {
  return createParameterDecorator<RequestContext>(({ context }) => context.requireCaller());
}

/** Marks root fields of reference data in the schema. */
export const referenceDirective = new GraphQLDirective({
  name: 'reference',
  description:
    'Reference data: the same for every caller, so a response that selects nothing else may be cached and shared.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
});

/** Decorates root fields of reference data: the schema's `authChecker` runs for them, and responses with them may be cached. */
export function Reference(): MethodDecorator {
  return (target, key, descriptor) => {
    Authorized()(target, key as string, descriptor as never);
    Directive(`@${referenceDirective.name}`)(target, key as string, descriptor as never);
  };
}

/** Sets the cost of a field whose type does not bound it. */
export const complexityDirective = new GraphQLDirective({
  name: 'complexity',
  description: 'What the field adds to the cost of an operation.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: { value: { type: new GraphQLNonNull(GraphQLInt), description: 'Its cost.' } },
});
