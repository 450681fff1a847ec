// Keeps a copy of the items and tags of a company in a JSON file: copies all the first time, and then what has changed. Needs
// Node 24 or newer: GATEWAY_URL=... GATEWAY_TOKEN=... node keep-a-copy.ts copy.json

import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

// Prints a message without a stack trace.
process.on('uncaughtException', ({ message, cause }) => {
  console.error(cause instanceof Error ? cause.message || message : message);
  process.exit(1);
});

interface Item {
  id: number;
  itemType: 'PRODUCT' | 'MODIFIER_GROUP' | 'MODIFIER';
  nameEn: string;
  nameAr: string;
  updatedAt: string;
}

interface Tag {
  id: number;
  nameEn: string;
  nameAr: string | null;
  version: string;
  updatedAt: string;
  itemIds: number[];
}

type TagWithItems = Omit<Tag, 'itemIds'> & { items: Page<{ id: number }> };

interface Copy {
  items: Record<number, Item>;
  tags: Record<number, Tag>;
  /** The greatest `updatedAt` received. */
  newest: { items?: string; tags?: string };
}

interface Page<Row> {
  totalCount: number;
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const { GATEWAY_URL = 'http://127.0.0.1:4000', GATEWAY_TOKEN } = process.env;

/** A transaction may commit after a later one: its changes are then older than those received. */
const overlap = 5 * 60_000;

/** Tags with more than a page of items, whose lists are long. */
const tagsAtATime = 2;

/** Sends a query, up to five times. Waits for `Retry-After`. */
async function send<Data>(query: string, variables: object, tries = 1): Promise<Data> {
  const response = await fetch(`${GATEWAY_URL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${GATEWAY_TOKEN}` },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(30_000),
  });
  if ([429, 503].includes(response.status) && tries < 5) {
    await setTimeout(1_000 * Number(response.headers.get('Retry-After') ?? 2 ** (tries - 1)));
    return send(query, variables, tries + 1);
  }
  const body = (await response.json().catch(() => ({}))) as { data?: Data; errors?: { message: string }[] };
  if (body.data == null || body.errors) {
    throw new Error(body.errors?.[0]?.message ?? `HTTP ${response.status} without data`);
  }
  return body.data;
}

async function* listRows<Row>(
  list: 'items' | 'productTags',
  fields: string,
  updatedAfter?: string,
): AsyncGenerator<Row> {
  const query = `query ($after: String, $updatedAfter: DateTime) {
    list: ${list}(first: 100, after: $after, updatedAfter: $updatedAfter) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  let after: string | null = null;
  do {
    const { list: page }: { list: Page<Row> } = await send(query, { after, updatedAfter });
    yield* page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

/** Removes deleted rows if the counts differ. Returns whether the copy lacks rows. */
async function removeDeleted(list: 'items' | 'productTags', copied: Record<number, unknown>): Promise<boolean> {
  const { list: all } = await send<{ list: Page<never> }>(`{ list: ${list}(first: 1) { totalCount } }`, {});
  if (all.totalCount === Object.keys(copied).length) return false;
  const present = new Set<number>();
  for await (const { id } of listRows<{ id: number }>(list, 'id')) present.add(id);
  for (const id of Object.keys(copied).map(Number)) if (!present.has(id)) delete copied[id];
  return Object.keys(copied).length < present.size;
}

/** `elapsed` is the duration of the last run in milliseconds. */
async function update(copy: Copy, elapsed: number): Promise<void> {
  // Rows that changed while the last run read its pages are older than the newest row that it received.
  const since = (newest?: string) => newest && new Date(Date.parse(newest) - overlap - elapsed).toISOString();
  const latest = (a: string | undefined, b: string) => (a !== undefined && a > b ? a : b);
  const { newest } = copy;
  const [sinceItems, sinceTags] = [since(newest.items), since(newest.tags)];
  const itemFields = 'id itemType nameEn nameAr updatedAt';
  for await (const item of listRows<Item>('items', itemFields, sinceItems)) {
    copy.items[item.id] = item;
    newest.items = latest(newest.items, item.updatedAt);
  }
  const tagFields = 'id nameEn nameAr version updatedAt';
  const withItems = `${tagFields} items(first: 100) { nodes { id } pageInfo { hasNextPage } }`;
  const long: number[] = [];
  for await (const { items, ...tag } of listRows<TagWithItems>('productTags', withItems, sinceTags)) {
    newest.tags = latest(newest.tags, tag.updatedAt);
    if (!items.pageInfo.hasNextPage) copy.tags[tag.id] = { ...tag, itemIds: items.nodes.map(({ id }) => id) };
    else if (copy.tags[tag.id]?.version !== tag.version) long.push(tag.id);
  }
  const tags = `query ($ids: [Int!]!) { list: productTagsByIds(ids: $ids) { ${tagFields} itemIds } }`;
  while (long.length > 0) {
    const { list } = await send<{ list: (Tag | null)[] }>(tags, { ids: long.splice(0, tagsAtATime) });
    // A tag that was deleted meanwhile is null.
    for (const tag of list) if (tag) copy.tags[tag.id] = tag;
  }
  // Missing rows are new, or from a transaction longer than the overlap: the next run reads all rows.
  if (await removeDeleted('items', copy.items)) delete newest.items;
  if (await removeDeleted('productTags', copy.tags)) delete newest.tags;
}

const [file = 'copy.json'] = process.argv.slice(2);
const emptyCopy: Copy & { elapsed: number } = { items: {}, tags: {}, newest: {}, elapsed: 0 };
const { elapsed, ...copy } = await readFile(file, 'utf8').then(
  (text): typeof emptyCopy => JSON.parse(text),
  () => emptyCopy,
);
const started = performance.now();
await update(copy, elapsed);
// An interrupted run keeps the last copy.
await writeFile(`${file}.new`, JSON.stringify({ ...copy, elapsed: Math.ceil(performance.now() - started) }));
await rename(`${file}.new`, file);
console.log(`${Object.keys(copy.items).length} items, ${Object.keys(copy.tags).length} tags`);
