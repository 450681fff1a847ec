import { collectSubFields } from '@graphql-tools/utils';
import { type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, getNamedType } from 'graphql';

/** Whether the response shows the items of the tags at a path of fields. */
export function selectsItems(
  { schema, fragments, variableValues, returnType, fieldNodes }: GraphQLResolveInfo,
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
  return subFields(type, selected).some(({ name }) => name.value === 'itemIds' || name.value === 'items');
}
