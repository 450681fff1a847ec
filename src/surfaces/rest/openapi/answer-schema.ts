import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { SchemaObject } from 'openapi3-ts/oas31';
import { wording } from './wording.ts';

type Fragments = Map<string, FragmentDefinitionNode>;

/**
 * The JSON Schema of the data that a GraphQL document answers: its aliases are the keys, the descriptions are those of the
 * GraphQL schema. An object of a GraphQL type has its name as title.
 */
export function answerSchema(schema: GraphQLSchema, document: { toString(): string }): SchemaObject {
  const { definitions } = parse(document.toString());
  const fragments: Fragments = new Map();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) operation = definition;
  }
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error('a document that asks for nothing');
  return objectSchema(propertiesOf(root, operation.selectionSet, fragments));
}

/** An object with these keys and no others. */
export function objectSchema(properties: Record<string, SchemaObject>): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The properties of the object with that title, wherever it is in a schema. */
export function propertiesOfType(schema: SchemaObject, title: string): Record<string, SchemaObject> {
  if (schema.title === title) return schema.properties as Record<string, SchemaObject>;
  const { allOf = [], anyOf = [], items, properties = {} } = schema;
  const inner = [...allOf, ...anyOf, ...Object.values(properties), ...(items ? [items] : [])] as SchemaObject[];
  for (const each of inner) {
    const found = propertiesOfType(each, title);
    if (Object.keys(found).length > 0) return found;
  }
  return {};
}

function propertiesOf(
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
  fragments: Fragments,
): Record<string, SchemaObject> {
  const properties: Record<string, SchemaObject> = {};
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) {
      properties[(selection.alias ?? selection.name).value] = fieldSchema(type, selection, fragments);
      continue;
    }
    const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (inner !== undefined) Object.assign(properties, propertiesOf(type, inner.selectionSet, fragments));
  }
  return properties;
}

function fieldSchema(parent: GraphQLObjectType, { name, selectionSet }: FieldNode, fragments: Fragments): SchemaObject {
  const field = parent.getFields()[name.value];
  if (field === undefined) throw new Error(`${parent.name} has no ${name.value}`);
  const schema = typeSchema(field.type, selectionSet, fragments);
  // An object tells what it is where it is described itself; beside it stands what it is here.
  const own = schema.type === 'object' ? { allOf: [schema] } : schema;
  return { ...own, description: field.description ?? '', ...wording[`${parent.name}.${name.value}`] };
}

function typeSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  fragments: Fragments,
): SchemaObject {
  if (isNonNullType(type)) return valueSchema(type.ofType, selectionSet, fragments);
  const { type: jsonType, ...value } = valueSchema(type, selectionSet, fragments);
  return typeof jsonType === 'string' && jsonType !== 'object'
    ? { type: [jsonType, 'null'], ...value }
    : { anyOf: [{ type: jsonType, ...value } as SchemaObject, { type: 'null' }] };
}

function valueSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  fragments: Fragments,
): SchemaObject {
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, selectionSet, fragments) };
  if (isObjectType(type) && selectionSet !== undefined) {
    const described = type.description ? { description: type.description } : {};
    return {
      title: type.name,
      ...described,
      ...wording[type.name],
      ...objectSchema(propertiesOf(type, selectionSet, fragments)),
    };
  }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  const scalar = scalars[String(type)];
  if (scalar === undefined) throw new Error(`v1 has no ${type}`);
  return { ...scalar };
}

const scalars: Record<string, SchemaObject> = {
  Int: { type: 'integer', format: 'int32' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
};
