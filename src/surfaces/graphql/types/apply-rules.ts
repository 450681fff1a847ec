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

/**
 * Applies what fields declare beside their resolvers: fields of a page get the rules of its type, and their own resolver runs.
 * Throws for a list whose cost is unknown.
 */
export function applyRules(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // The cost of its most costly type would have to be found.
    if (isAbstractType(type)) throw new Error(`${type.name} is an interface or a union, which have no cost`);
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const [name, field] of Object.entries(type.getFields())) {
      const rules = { ...withRules(getNamedType(field.type).extensions, field.extensions) };
      if (!hasCost(field, rules)) throw new Error(`${type.name}.${name} is a list and has no cost`);
      field.extensions = rules;
      const resolve = (rules.resolve as Resolver | undefined) ?? field.resolve;
      if (resolve !== undefined) field.resolve = afterDefaults(field, resolve);
    }
  }
}

/** The rules of a field that returns a type with rules: both checks run, the field's cost counts. */
function withRules(ofType: FieldRules, ofField: FieldRules): FieldRules {
  const checks = [ofType.check, ofField.check].filter((check) => check !== undefined);
  const check: FieldRules['check'] = (args, context) => {
    for (const each of checks) each(args, context);
  };
  return { ...ofType, ...ofField, ...(checks.length > 0 && { check }) };
}

/** A list of objects needs a length, any other list a cost. */
function hasCost({ type }: Field, { cost, length }: FieldRules): boolean {
  if (!isListType(getNullableType(type))) return true;
  return (isObjectType(getNamedType(type)) ? length : cost) !== undefined;
}

/** The resolver, which then gets the same arguments as the rules. */
function afterDefaults(field: Field, resolve: Resolver): Resolver {
  if (field.args.every(({ defaultValue }) => defaultValue === undefined)) return resolve;
  return (source, args, context, info) => resolve(source, withDefaults(field, args), context, info);
}
