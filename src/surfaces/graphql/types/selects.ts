import { collectSubFields } from '@graphql-tools/utils';
import { type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, getNamedType } from 'graphql';

/** Whether the response shows the items of the tags at a path of fields. */
export function selectsItems(info: GraphQLResolveInfo, ...path: string[]): boolean {
  return selects(info, ['itemIds', 'items'], ...path);
}

/** Whether the response shows one of these fields of the objects at a path of fields. */
export function selects(
  { schema, fragments, variableValues, returnType, fieldNodes }: GraphQLResolveInfo,
  names: readonly string[],
  ...path: string[]
): boolean {
  const variables = { coerced: variableValues, sources: {} };
  const subFields = (type: GraphQLObjectType, nodes: readonly FieldNode[]) =>
    [...collectSubFields(schema, fragments, variables, type, [...nodes]).fields.values()].flat();
  let type = getNamedType(returnType) as GraphQLObjectType;
  let selected: readonly FieldNode[] = fieldNodes;
  for (const name of path) {
    selected = subFields(type, selected).filter((node) => node.name.value === name);
    type = getNamedType(type.getFields()[name]?.type) as GraphQLObjectType;
  }
  return subFields(type, selected).some(({ name }) => names.includes(name.value));
}
