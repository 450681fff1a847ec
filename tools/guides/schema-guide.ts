import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
} from 'graphql';
import type { FieldRules } from '../../src/surfaces/request/cost.ts';
import { root } from '../build/make-folder.ts';

type Value = GraphQLArgument | GraphQLInputField;
type Field = GraphQLField<unknown, unknown>;

const path = (name: string) => join(root, name);

export async function writeSchemaGuides(): Promise<Record<string, string>> {
  const errors = await readFile(path('docs/partners/errors.md'), 'utf8');
  // Imports compiled files, because Node cannot strip the types of generated files and decorators.
  const { schemaGuideOperations, tabs }: typeof import('../../src/surfaces/pages/examples.ts') = await import(
    path('dist/src/surfaces/pages/examples.js')
  );
  const { createSchema }: typeof import('../../src/surfaces/graphql/schema.ts') = await import(
    path('dist/src/surfaces/graphql/schema.js')
  );
  const { schema } = createSchema('public');
  const { unquoteIds, formatJson } = await import(path('dist/src/surfaces/pages/snippets.js'));
  // Readers have other items than the demo data.
  const withMarks = (json: string) =>
    unquoteIds(json)
      .replace(/"itemIds": \[[\d, ]+\]/, '"itemIds": [ITEM_ID]')
      .replace(/"itemId": \d+/, '"itemId": ITEM_ID');
  const examples = [...Object.values(tabs), ...schemaGuideOperations].map(({ body }) => body);

  const anchors = new Set([...errors.matchAll(/^### (\w+)$/gm)].map(([, code]) => code));
  const linkCodes = (text: string) =>
    text.replace(/`?\b[A-Z]+(?:_[A-Z]+)+\b`?|\b[A-Z]{9,}\b/g, (found) => {
      const code = found.replaceAll('`', '');
      const anchor = code.toLowerCase();
      if (anchors.has(anchor)) return `[\`${code}\`](errors.md#${anchor})`;
      return errors.includes(`\`${code}\``) ? `[\`${code}\`](errors.md#graphql-documents)` : found;
    });
  const describe = ({ description }: { description?: string | null | undefined }) =>
    linkCodes((description ?? '').replace(/\s*\n\s*/g, ' '));
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const linkType = (type: GraphQLType) => {
    const { name } = getNamedType(type);
    const shown = `<code>${type}</code>`;
    return isSpecifiedScalarType(getNamedType(type)) ? shown : `<a href="schema-types.md#${name}">${shown}</a>`;
  };
  const heading = (level: number, name: string) => `<h${level} id="${name}">${name}</h${level}>`;

  const valueTable = (title: string, values: readonly Value[]) =>
    values.length === 0
      ? []
      : [
          `| ${title} | type | description |\n| --- | --- | --- |`,
          ...values.map((value) => {
            const { name, type, defaultValue } = value;
            const fallback = defaultValue === undefined ? '' : ` = \`${JSON.stringify(defaultValue)}\``;
            return `| \`${name}\` | ${linkType(type)}${fallback} | ${cell(describe(value))} |`;
          }),
          '',
        ];

  /** Searches the descriptions of a field, its arguments, the arguments of its result's fields, and its root type. */
  const findErrorCodes = (field: Field, root: GraphQLObjectType): string[] => {
    const inputs = field.args.flatMap(({ type }) => {
      const input = getNamedType(type);
      return isInputObjectType(input) ? Object.values(input.getFields()) : [];
    });
    const object = getNamedType(field.type);
    const inside = isObjectType(object) ? Object.values(object.getFields()).flatMap(({ args }) => args) : [];
    const isReference = field.astNode?.directives?.some(({ name }) => name.value === 'reference');
    const text = [...(isReference ? [] : [root]), field, ...field.args, ...inputs, ...inside]
      .map(({ description }) => description)
      .join(' ');
    const codes = [...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\bUNAUTHENTICATED\b/g)].map(String);
    return [...new Set(codes)].filter((code) => linkCodes(code) !== code);
  };

  const calculateCost = ({ type, args, extensions }: Field) => {
    const { cost }: FieldRules = extensions;
    const rest = 'the cost of the fields that you select';
    if (typeof cost === 'number')
      return cost.toLocaleString('en') + (isLeafType(getNamedType(type)) ? '' : ` + ${rest}`);
    if (args.some(({ name }) => name === 'first')) return '`first` × the cost of an entry';
    const isCounted = isListType(getNullableType(type)) && !isLeafType(getNamedType(type));
    return isCounted ? 'the length of the list × the cost of an entry' : '';
  };

  const operation = (field: Field, root: GraphQLObjectType) => {
    const blocks = examples
      .filter(({ query }) => listRootFields(query).includes(field.name))
      .flatMap(({ query, variables }) => {
        const json = withMarks(formatJson(variables));
        return [`\`\`\`graphql\n${query}\n\`\`\``, ...(json === '{}' ? [] : [`\`\`\`variables\n${json}\n\`\`\``])];
      });
    const codes = findErrorCodes(field, root).map(linkCodes).join(', ');
    const cost = calculateCost(field);
    return [
      heading(3, field.name),
      describe(field),
      valueTable('argument', field.args).join('\n'),
      `**Returns:** ${linkType(field.type)}`,
      `**Errors:** ${codes && `${codes}, and `}those of [every request](errors.md)`,
      `**Cost:** ${cost || '1 + the cost of the fields that you select'}`,
      ...blocks,
    ];
  };

  const fieldTable = (type: { name: string; getFields(): Record<string, Field> }) => [
    '| field | type | description |\n| --- | --- | --- |',
    ...Object.values(type.getFields()).map((field) => {
      const args = field.args.map((arg) => {
        const fallback = arg.defaultValue === undefined ? '' : ` = ${JSON.stringify(arg.defaultValue)}`;
        return `\`${arg.name}: ${arg.type}${fallback}\`: ${describe(arg)}`;
      });
      // The lists of a connection cost `first` entries.
      const cost = type.name.endsWith('Connection') || !calculateCost(field) ? '' : `Cost: ${calculateCost(field)}.`;
      const description = [describe(field), ...args, cost].filter(Boolean).join('<br>');
      return `| \`${field.name}\` | ${linkType(field.type)} | ${cell(description)} |`;
    }),
  ];

  const section = (title: string, types: GraphQLNamedType[], table: (type: never) => string[]) => [
    `## ${title}`,
    ...types.flatMap((type) => [heading(3, type.name), describe(type), table(type as never).join('\n')]),
  ];

  const [queryType, mutationType] = [schema.getQueryType(), schema.getMutationType()] as [
    GraphQLObjectType,
    GraphQLObjectType,
  ];
  const operations = (root: GraphQLObjectType) => [
    describe(root),
    ...Object.values(root.getFields()).flatMap((field) => operation(field, root)),
  ];
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const objects = types.filter((type) => isObjectType(type) && type !== queryType && type !== mutationType);
  const mutations = Object.values(mutationType.getFields());
  const inputs = types.filter(isInputObjectType);
  const enums = types.filter(isEnumType);
  const scalars = types.filter(isOwnScalar);

  // Old links have these anchors, from when one page had the whole schema.
  const list = (title: string, page: string, entries: readonly { name: string }[]) => [
    `## ${title}`,
    entries.map(({ name }) => `<a id="${name}" href="${page}.md#${name}"><code>${name}</code></a>`).join(' · '),
  ];
  const cost =
    'The **cost** of an operation is the largest number of fields that its response can have: each field counts 1, ' +
    'and those in a list once for each entry. [Limits](limits.md) has the maximum.';
  const guides = {
    schema: [
      '# Schema: queries',
      'Every operation and type, from the schema itself. Programs read it at [`/schema.graphql`](/schema.graphql).',
      cost,
      '## Queries',
      ...operations(queryType),
      ...list('Mutations', 'schema-mutations', mutations),
      ...list('Types', 'schema-types', objects),
      ...list('Inputs', 'schema-types', inputs),
      ...list('Enums', 'schema-types', enums),
      ...list('Scalars', 'schema-types', scalars),
    ],
    'schema-mutations': ['# Schema: mutations', cost, '## Mutations', ...operations(mutationType)],
    'schema-types': [
      '# Schema: types',
      'The types of fields and arguments of [queries](schema.md) and [mutations](schema-mutations.md).',
      ...section('Types', objects, fieldTable),
      ...section('Inputs', inputs, (type: { getFields(): Record<string, Value> }) =>
        valueTable('field', Object.values(type.getFields())),
      ),
      ...section('Enums', enums, (type: { getValues(): readonly GraphQLEnumValue[] }) => [
        '| value | description |\n| --- | --- |',
        ...type.getValues().map((value) => `| \`${value.name}\` | ${cell(describe(value))} |`),
      ]),
      ...section('Scalars', scalars, () => []),
    ],
  };
  return Object.fromEntries(Object.entries(guides).map(([name, parts]) => [name, parts.join('\n\n')]));
}

const isOwnScalar = (type: GraphQLNamedType) => isScalarType(type) && !isSpecifiedScalarType(type);

function listRootFields(query: string): string[] {
  return parse(query).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.flatMap((field) => (field.kind === 'Field' ? [field.name.value] : []))
      : [],
  );
}
