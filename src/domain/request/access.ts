import { DirectiveLocation, GraphQLDirective } from 'graphql';
import { Authorized, createParameterDecorator, Directive, Extensions } from 'type-graphql';
import type { ReferenceLists } from '../reference/reference-data.ts';
import type { Batch } from './batches.ts';
import type { RequestContext } from './context.ts';

/** Resolver parameter: the caller of the request, which closes the field to anyone without a live token. */
export function CurrentCaller() {
  return createParameterDecorator<RequestContext>(({ context }) => context.requireCaller());
}

/** Who may read reference data. */
export type ReferenceAccess = 'public' | 'partner';

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

/** Finds the record of a type that has an id; undefined when there is none that the caller may see. */
export type FindEntity = (id: number, context: RequestContext) => object | undefined | Promise<object | undefined>;

/** Decorates a type of reference data that other subgraphs may refer to: its key in a federation is its id. */
export function ReferenceEntity(byId: (lists: ReferenceLists) => ReadonlyMap<number, object>): ClassDecorator {
  return entity((id, { reference }) => byId(reference).get(id));
}

/** Decorates a type of the caller's company, which needs a token: the records of other companies stay hidden. */
export function TenantEntity(batch: Batch<object | undefined>): ClassDecorator {
  return entity((id, { loaders }) => loaders.of(batch).load(id));
}

// The printed and introspected schema has no extensions.
function entity(findEntity: FindEntity): ClassDecorator {
  return Extensions({ findEntity });
}
