import type { CodegenConfig } from '@graphql-codegen/cli';

/** Generates types for this client's documents from the schema of a running gateway. */
export default {
  schema: `${process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000'}/schema.graphql`,
  documents: 'src/*.graphql',
  generates: {
    'src/documents.generated.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        scalars: { DateTime: 'string' },
        skipTypename: true,
      },
    },
  },
} satisfies CodegenConfig;
