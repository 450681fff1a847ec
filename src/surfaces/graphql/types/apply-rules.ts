import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { FieldRules } from './field-rules.ts';

type Field = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

/**
 * Applies what fields declare beside their resolvers: those of a page get the rules of its type, and their own resolver runs.
 * Throws for a field without a price that it needs.
 */
export function applyRules(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // The most expensive of its types would have to be found.
    if (isAbstractType(type)) throw new Error(`${type.name} is an interface or a union, which have no price`);
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const [name, field] of Object.entries(type.getFields())) {
      const rules = { ...withRules(getNamedType(field.type).extensions, field.extensions) };
      if (!isPriced(field, rules)) throw new Error(`${type.name}.${name} is a list and has no price`);
      field.extensions = rules;
      const resolve = (rules.resolve as Resolver | undefined) ?? field.resolve;
      if (resolve !== undefined) field.resolve = afterDefaults(field, resolve);
    }
  }
}

/** The rules of a field that returns a type with rules: both checks run, the field's price counts. */
function withRules(ofType: FieldRules, ofField: FieldRules): FieldRules {
  const checks = [ofType.check, ofField.check].filter((check) => check !== undefined);
  const check: FieldRules['check'] = (args, context) => {
    for (const each of checks) each(args, context);
  };
  return { ...ofType, ...ofField, ...(checks.length > 0 && { check }) };
}

/** A list of objects needs a price that knows its length, any other list at least a number. */
function isPriced({ type }: Field, { price }: FieldRules): boolean {
  if (!isListType(getNullableType(type))) return true;
  return isObjectType(getNamedType(type)) ? typeof price === 'function' : price !== undefined;
}

/** The resolver, which then gets the same arguments as the price and the check. */
function afterDefaults(field: Field, resolve: Resolver): Resolver {
  if (!field.args.some(isDefaultOfNull)) return resolve;
  return (source, args, context, info) => resolve(source, withDefaults(field, args), context, info);
}

/** Arguments of a field, where null counts as the default. */
export function withDefaults<Args extends Record<string, unknown>>({ args }: Field, values: Args): Args {
  const nulls = args.filter((arg) => isDefaultOfNull(arg) && values[arg.name] === null);
  return nulls.length === 0
    ? values
    : { ...values, ...Object.fromEntries(nulls.map((arg) => [arg.name, arg.defaultValue])) };
}

function isDefaultOfNull({ type, defaultValue }: GraphQLArgument): boolean {
  return defaultValue !== undefined && !isNonNullType(type);
}
