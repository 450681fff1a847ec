import type { ApolloServerPlugin } from '@apollo/server';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { type DocumentNode, type GraphQLSchema, Kind, type ValidationRule, validate } from 'graphql';
import type { RequestContext } from '../request/context.ts';
import { type DocumentLimits, limitError } from './limit-error.ts';
import { costOf } from './query-cost.ts';

/**
 * Refuses a document beyond a limit before a field of it is resolved. Documents that the service executes for REST, and so
 * wrote itself, are not judged: those have not come over HTTP.
 */
export function documentLimits(limits: DocumentLimits): ApolloServerPlugin<RequestContext> {
  // Apollo keeps the documents it has parsed.
  const known = new WeakMap<DocumentNode, Measures>();
  return {
    async requestDidStart({ request: { http, variables = {} } }) {
      if (http === undefined) return;
      return {
        async didResolveOperation({ schema, document, operation }) {
          const measures = known.get(document) ?? measure(schema, document);
          known.set(document, measures);
          for (const limit of ['depth', 'aliases', 'directives'] as const) {
            ensureWithin(limits, limit, measures[limit]);
          }
          if (operation) ensureWithin(limits, 'cost', costOf(schema, document, operation, variables));
        },
      };
    },
  };
}

function ensureWithin(limits: DocumentLimits, limit: keyof DocumentLimits, found: number): void {
  if (found > limits[limit]) throw limitError({ limit, max: limits[limit], found });
}

type Measures = Record<'depth' | 'aliases' | 'directives', number>;

// Of depth, aliases and directives, those of the operation that has most of each, its fragments counted wherever they are
// spread. A field asked for again beside itself is an alias of its own name, as far as the work goes that it makes.
function measure(schema: GraphQLSchema, document: DocumentNode): Measures {
  const found: Measures = { depth: 0, aliases: 0, directives: 0 };
  let repeatedFields = 0;
  const countRepeatedFields: ValidationRule = () => ({
    SelectionSet({ selections }) {
      const names = selections.flatMap((field) => (field.kind === Kind.FIELD ? (field.alias ?? field.name).value : []));
      repeatedFields += names.length - new Set(names).size;
    },
  });
  const keep = (name: keyof Measures) => ({
    n: Number.POSITIVE_INFINITY,
    onAccept: [
      (_context: unknown, { n }: { n: number }) => {
        found[name] = Math.max(found[name], n);
      },
    ],
  });
  validate(schema, document, [
    maxDepthRule({ ...keep('depth'), flattenFragments: true }),
    maxAliasesRule({ ...keep('aliases'), allowList: [] }),
    maxDirectivesRule(keep('directives')),
    countRepeatedFields,
  ]);
  return { ...found, aliases: found.aliases + repeatedFields };
}
