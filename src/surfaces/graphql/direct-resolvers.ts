import type { GraphQLFieldResolver } from 'graphql';
import { type createResolversMap, getMetadataStorage } from 'type-graphql';

export type ResolversMap = ReturnType<typeof createResolversMap>;
type FieldResolverMetadata = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number];
type ParameterMetadata = NonNullable<FieldResolverMetadata['params']>[number];
type Parameter = (root: unknown, args: Record<string, unknown>, context: Record<string, unknown>) => unknown;

/**
 * The resolvers of fields, called as directly as they can be. type-graphql finds out what a method wants of the root, the
 * arguments and the context for every value of an answer again; here it is found out once. Where it does more than that,
 * for roles, middleware and parameters of one's own making, it stays in between.
 */
export function withDirectResolvers(resolvers: ResolversMap): ResolversMap {
  const { objectTypes, fieldResolvers } = getMetadataStorage();
  const direct: ResolversMap = { ...resolvers };
  for (const { name, target } of objectTypes) {
    const own = fieldResolvers.flatMap((metadata) => {
      const resolver = isOf(metadata, target) ? directResolver(metadata) : undefined;
      return resolver === undefined ? [] : [[metadata.schemaName, resolver] as const];
    });
    if (direct[name] !== undefined) direct[name] = { ...direct[name], ...Object.fromEntries(own) } as never;
  }
  return direct;
}

// A field may be of a class that others extend.
function isOf({ getObjectType }: FieldResolverMetadata, type: FieldResolverMetadata['target']): boolean {
  const owner = getObjectType?.();
  return owner !== undefined && (type === owner || type.prototype instanceof owner);
}

function directResolver(metadata: FieldResolverMetadata): GraphQLFieldResolver<unknown, never> | undefined {
  const { kind, target, methodName, params = [], roles, middlewares = [] } = metadata;
  const parameters = params.toSorted((a, b) => a.index - b.index).map(parameterOf);
  if (roles !== undefined || middlewares.length > 0 || !parameters.every((parameter) => parameter !== undefined))
    return;
  const method = target.prototype[methodName];
  // A method of the type itself is the record's; one of a resolver class is that of its one instance.
  const instance = kind === 'internal' ? undefined : Reflect.construct(target, []);
  return (root, args, context) =>
    method.apply(
      instance ?? root,
      parameters.map((parameter) => parameter(root, args, context)),
    );
}

function parameterOf(parameter: ParameterMetadata): Parameter | undefined {
  if (parameter.kind === 'root' && parameter.propertyName === undefined) return (root) => root;
  if (parameter.kind === 'context' && parameter.propertyName === undefined) return (_root, _args, context) => context;
  if (parameter.kind === 'arg') return (_root, args) => args[parameter.name];
  return undefined;
}
