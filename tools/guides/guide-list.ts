import type { Texts } from '../../src/surfaces/pages/texts.ts';

/** The guides in page order, in their groups: what a reader can do after each. */
export const guideList: Record<keyof Texts['groups'], Record<string, string>> = {
  start: {
    quickstart: 'Choose an API, send your first request and read your own data.',
    graphql: 'Write queries and mutations, and read lists page by page.',
    tokens: 'Get a token, keep it safe and replace it without an outage.',
    examples: 'Start from a program that creates tags and handles every error.',
  },
  items: {
    'read-all-items': 'Read a whole list with a program in your language, and choose items.',
    'tag-products': 'List, create, read, update and delete tags.',
    'change-items': 'Add and remove products of a tag, and resolve conflicts with others.',
    'keep-a-copy': 'Keep the menu in your own system, and read only what has changed.',
  },
  frontends: {
    'apollo-client': 'Show and change tags in a browser, with conflicts and both languages.',
  },
  rest: {
    'rest-v1': 'Read reference data and write tags with REST.',
    'rails-clients': 'Move a program from the old service to this one.',
  },
  reference: {
    questions: 'Find a short answer: webhooks, CORS, SDKs, Postman, API keys.',
    'retries-and-versions': 'Handle errors, retry safely and never overwrite the change of another.',
    errors: 'Look up a code: when it occurs, what to do, and whether a retry helps.',
    limits: 'Stay below the limits on requests, sizes and cost.',
    'graphql-over-http': 'Write or configure a GraphQL client: statuses, media types, persisted queries.',
    schema: 'Look up a query: its arguments, errors and cost, with an example.',
    'schema-mutations': 'Look up a mutation: its arguments, errors and cost, with an example.',
    'schema-types': 'Look up the fields of a type, an input or an enum.',
    changes: 'See what has changed, and what will not.',
  },
};
