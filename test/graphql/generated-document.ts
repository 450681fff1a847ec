import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  OperationTypeNode,
} from 'graphql';

export interface GeneratedDocument {
  query: string;
  variables: Record<string, unknown>;
}

const maxDepth = 6;

/** Values of scalars, the simplest one first. */
export type Scalars = Record<string, readonly unknown[]>;

/** Generates a mostly valid document. Choices take the next of `choices`; once used up, they are the simplest one. */
export function generateDocument(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  scalars: Scalars,
  choices: readonly number[],
): GeneratedDocument {
  let used = 0;
  const variables: Record<string, unknown> = {};
  const definitions: string[] = [];
  const fragments: string[] = [];
  const root = schema.getRootType(operation) as GraphQLObjectType;
  const selected = selectionSet(root, operation === OperationTypeNode.MUTATION ? 4 : 0);
  const defined = definitions.length > 0 ? `(${definitions.join(', ')})` : '';
  return { query: [`${operation} Generated${defined} ${selected}`, ...fragments].join('\n'), variables };

  function choose(count: number): number {
    const choice = choices[used] ?? 0;
    used += 1;
    return choice % count;
  }

  function pick<Value>(values: readonly Value[]): Value {
    return values[choose(values.length)] as Value;
  }

  function happens(percent: number): boolean {
    return choose(100) >= 100 - percent;
  }

  function selectionSet(type: GraphQLObjectType, depth: number): string {
    const selections = Array.from({ length: 1 + choose(4) }, () => selection(type, depth));
    return `{ ${selections.join(' ')} }`;
  }

  function selection(type: GraphQLObjectType, depth: number): string {
    if (happens(15) && depth < maxDepth) {
      const condition = happens(50) ? ` on ${type.name}` : '';
      return `...${condition}${directive()} ${selectionSet(type, depth + 1)}`;
    }
    if (happens(10) && depth < maxDepth) {
      const inside = selectionSet(type, depth + 1);
      const name = `F${fragments.length}`;
      fragments.push(`fragment ${name} on ${type.name} ${inside}`);
      return `...${name}${directive()}`;
    }
    const leaves = Object.values(type.getFields()).filter((field) => !isObjectType(getNamedType(field.type)));
    const fields = depth < maxDepth ? Object.values(type.getFields()) : leaves;
    if (fields.length === 0 || used >= choices.length || happens(8)) return `__typename${directive()}`;
    return selectedField(pick(fields), depth);
  }

  function selectedField(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.filter((argument) => isRequiredArgument(argument) || happens(40));
    const named = given.map(({ name, type, defaultValue }) => `${name}: ${value(type, defaultValue !== undefined)}`);
    const alias = happens(20) ? `${pick(['a', 'b', 'c', 'constructor', '__proto__'])}: ` : '';
    const args = named.length > 0 ? `(${named.join(', ')})` : '';
    const type = getNamedType(field.type);
    const inside = isObjectType(type) ? ` ${selectionSet(type, depth + 1)}` : '';
    return `${alias}${field.name}${args}${directive()}${inside}`;
  }

  function directive(): string {
    if (!happens(6)) return '';
    const condition = happens(60) ? variable('Boolean!', () => happens(50), true) : pick(['true', 'false']);
    return ` @${pick(['include', 'skip'])}(if: ${condition})`;
  }

  function value(type: GraphQLInputType, hasDefault = false): string {
    if (happens(30)) {
      // A nullable variable is allowed where a default exists.
      const loose = hasDefault && happens(50) ? getNullableType(type) : type;
      return variable(
        String(loose),
        () => variableValue(loose),
        isNonNullType(loose),
        () => literal(loose, false),
      );
    }
    return literal(type, true);
  }

  function variable(type: string, make: () => unknown, isRequired: boolean, makeDefault?: () => string): string {
    const name = `v${definitions.length}`;
    // Reserves the name, because the default must contain no variables.
    const hasDefault = makeDefault !== undefined && happens(20);
    definitions.push(`$${name}: ${type}${hasDefault ? ` = ${makeDefault()}` : ''}`);
    if ((isRequired && !hasDefault) || happens(65)) variables[name] = make();
    return `$${name}`;
  }

  function literal(type: GraphQLInputType, withVariables: boolean): string {
    const inside = (inner: GraphQLInputType) => (withVariables ? value(inner) : literal(inner, false));
    if (!isNonNullType(type) && happens(15)) return 'null';
    const nullable = getNullableType(type);
    if (isListType(nullable)) return `[${createList(() => inside(nullable.ofType)).join(', ')}]`;
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter((field) => isRequiredInputField(field) || happens(60));
      return `{ ${fields.map((field) => `${field.name}: ${inside(field.type)}`).join(', ')} }`;
    }
    return isEnumType(nullable) ? String(leaf(nullable)) : JSON.stringify(leaf(nullable));
  }

  function variableValue(type: GraphQLInputType): unknown {
    if (!isNonNullType(type) && happens(25)) return null;
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      // A single value is coerced to a list of one.
      return happens(20) ? variableValue(nullable.ofType) : createList(() => variableValue(nullable.ofType));
    }
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter((field) => isRequiredInputField(field) || happens(60));
      return Object.fromEntries(fields.map((field) => [field.name, variableValue(field.type)]));
    }
    return leaf(nullable);
  }

  function createList<Value>(make: () => Value): Value[] {
    return Array.from({ length: choose(3) }, make);
  }

  function leaf(type: GraphQLNamedType): unknown {
    return pick(isEnumType(type) ? type.getValues().map(({ name }) => name) : (scalars[type.name] ?? []));
  }
}
