import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { readSettings } from './settings.ts';

interface Settings {
  endpoint: string;
  /** Sent with every operation, unless a tab says otherwise. */
  headers: Record<string, string>;
  introspection: boolean;
  tabs: { query: string; variables?: string; headers?: string }[];
}

const { endpoint, headers: sharedHeaders, introspection, tabs } = readSettings<Settings>();

type Fetcher = Parameters<typeof GraphiQL>[0]['fetcher'];

const fetcher: Fetcher = async (operation, { headers = {} } = {}) => {
  // By the names that Headers gives them: a tab may write `authorization`.
  const merged = new Headers(sharedHeaders);
  merged.set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) merged.set(name, String(value));
  const body = JSON.stringify({ ...operation, operationName: nameIn(operation) });
  const answer = await fetch(endpoint, { method: 'POST', headers: merged, body });
  return answer.json();
};

// For a moment after another tab was opened, the editor still has the operation name of the one before.
function nameIn({ query, operationName }: Parameters<Fetcher>[0]): string | undefined {
  const names = [...query.matchAll(/\b(?:query|mutation)\s+(\w+)/g)].map(([, name]) => name);
  return names.find((name) => name === operationName);
}

const root = document.getElementById('explorer');
if (root !== null) {
  const props = {
    fetcher,
    defaultTabs: tabs,
    // As explorer.css has it: where there is room.
    defaultEditorToolsVisibility: !matchMedia('(max-width: 44rem)').matches,
    ...(!introspection && { schema: null }),
  };
  createRoot(root).render(createElement(GraphiQL, props));
}
