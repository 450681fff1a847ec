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
import { type FieldRules, withDefaults } from '../../request/cost.ts';

type Field = GraphQLField<unknown, unknown>;
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
function hasCost({ type }: Field, { cost, length }: FieldRules): boolean {
  if (!isListType(getNullableType(type))) return true;
  return (isObjectType(getNamedType(type)) ? length : cost) !== undefined;
}

/** Passes the same arguments to the resolver as to the rules. */
function applyDefaults(field: Field, resolve: Resolver): Resolver {
  if (field.args.every(({ defaultValue }) => defaultValue === undefined)) return resolve;
  return (source, args, context, info) => resolve(source, withDefaults(field, args), context, info);
}
