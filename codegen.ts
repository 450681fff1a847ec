import client from './examples/graphql-client/codegen.ts';

// Typed documents: what a document asks for is what its caller's types say. Strings at run time, so that Apollo's cache of
// parsed documents is the only parser.
const plugins = ['typescript-operations', 'typed-document-node'];
const config = {
  documentMode: 'string',
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  skipTypename: true,
  dedupeFragments: true,
  inlineFragmentTypes: 'combine',
};

export default {
  schema: 'schema.graphql',
  generates: {
    'src/surfaces/rest/documents.generated.ts': { documents: 'src/surfaces/rest/*.graphql', plugins, config },
    // The pages show them as text.
    'src/surfaces/pages/documents.generated.ts': { documents: 'examples/operations.graphql', plugins, config },
    // As its own configuration has it, from the committed schema.
    'examples/graphql-client/src/documents.generated.ts': {
      documents: 'examples/graphql-client/src/*.graphql',
      ...client.generates['src/documents.generated.ts'],
    },
  },
};
