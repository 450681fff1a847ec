import client from './examples/graphql-client/codegen.ts';

// The types of a document's variables and result, and the document itself.
const plugins = ['typescript-operations', 'typed-document-node'];
const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  scalars: { DateTime: 'string' },
  skipTypename: true,
  dedupeFragments: true,
  inlineFragmentTypes: 'combine',
};

export default {
  schema: 'schema.graphql',
  generates: {
    'src/surfaces/rest/documents.generated.ts': {
      documents: 'src/surfaces/rest/*.graphql',
      plugins,
      config: { ...config, documentMode: 'documentNode' },
    },
    // As its own configuration has it, from the committed schema.
    'examples/graphql-client/src/documents.generated.ts': {
      documents: 'examples/graphql-client/src/*.graphql',
      ...client.generates['src/documents.generated.ts'],
    },
  },
};
