import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';
import { Extensions, Field } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { costOfScan, type FieldRules, withDefaults } from '../../request/cost.ts';

export const shownScanCost = costOfScan.toLocaleString('en');

/** For descriptions of arguments that make a list read all rows. */
export const costsScan = `Costs ${shownScanCost}.`;

/** Declares rules of a field, or of every field that returns a type. A later declaration replaces the same rule. */
export function Rules<Args>(rules: FieldRules<Args>) {
  return Extensions({ ...rules });
}

/** Resolves a field by a method of `(args, context)`; type-graphql takes several times as long, for each row. */
export function ResolveDirectly() {
  return <Method extends (args: never, context: RequestContext) => unknown>(
    target: object,
    field: string,
    { value }: TypedPropertyDescriptor<Method>,
  ) => Rules({ resolve: (source, args, context) => value?.call(source, args as never, context) })(target, field);
}

/** Declares a field with `ResolveDirectly`; `@Args` of its first parameter declares its arguments. */
export function MethodField(type: () => object, options: { description: string; nullable?: boolean }) {
  return <Method extends (args: never, context: RequestContext) => unknown>(
    target: object,
    field: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ) => {
    Field(type, options)(target, field, descriptor);
    ResolveDirectly()(target, field, descriptor);
  };
}

type SchemaField = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** Applies the rules of fields and of the types that they return. Throws for a list without a cost. */
export function applyRules(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) throw new Error(`${type.name} is an interface or a union, which have no cost`);
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const [name, field] of Object.entries(type.getFields())) {
      const rules = { ...mergeRules(getNamedType(field.type).extensions, field.extensions) };
      if (!hasCost(field, rules)) throw new Error(`${type.name}.${name} is a list and has no cost`);
      field.extensions = rules;
      const resolve = (rules.resolve as Resolver | undefined) ?? field.resolve;
      if (resolve !== undefined) field.resolve = applyDefaults(field, resolve);
    }
  }
}

/** The rules of the field win, but both checks run. */
function mergeRules(ofType: FieldRules, ofField: FieldRules): FieldRules {
  const checks = [ofType.check, ofField.check].filter((check) => check !== undefined);
  const check: FieldRules['check'] = (args, context) => {
    for (const run of checks) run(args, context);
  };
  return { ...ofType, ...ofField, ...(checks.length > 0 && { check }) };
}

/** A list of objects needs a length, any other list a cost. */
function hasCost({ type }: SchemaField, { cost, length }: FieldRules): boolean {
  if (!isListType(getNullableType(type))) return true;
  return (isObjectType(getNamedType(type)) ? length : cost) !== undefined;
}

/** Passes the same arguments to the resolver as to the rules. */
function applyDefaults(field: SchemaField, resolve: Resolver): Resolver {
  if (field.args.every(({ defaultValue }) => defaultValue === undefined)) return resolve;
  return (source, args, context, info) => resolve(source, withDefaults(field, args), context, info);
}
