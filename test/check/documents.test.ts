import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildSchema, isObjectType, Kind, parse, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { expect, test } from 'vitest';
import {
  documentBlocks,
  documents,
  elsewhere,
  findRunners,
  readDocument,
  root,
  runHere,
} from '../support/documents.ts';

test('every command block is run by a test or a listed script', async () => {
  const used = new Set<unknown>();
  for (const path of documents) {
    for (const { language, code } of await documentBlocks(path)) {
      if (language !== 'sh') continue;
      const runners = findRunners(path, code);
      expect(runners.length === 1 || (runners.length === 0 && runHere.includes(path)), `${path}\n${code}`).toBe(true);
      for (const runner of runners) used.add(runner);
    }
  }
  expect([...used]).toHaveLength(elsewhere.length);
  for (const [file] of elsewhere) expect(existsSync(join(root, file)), file).toBe(true);
});

test('commands use options of curl that are five years old', async () => {
  // In versions 7.80 to 8.17.
  const recent =
    /--(?:json|rate|url-query|variable|expand-\w+|etag-\w+|ca-native|proxy-http2|ip-tos|out-null)\b|%(?:header|output)\{/;
  const shown = [...documents, 'src/app/welcome.ts', 'src/surfaces/pages/snippets.ts'];
  for (const path of shown) {
    for (const command of (await readDocument(path)).match(/\b(?:curl|create) -(?:\\\n|[^\n])*/g) ?? [])
      expect(command, path).not.toMatch(recent);
  }
});

test('published operations are valid, and select every id, which client caches need', async () => {
  const schema = buildSchema(await readDocument('schema.graphql'));
  const typeInfo = new TypeInfo(schema);
  const lacking: string[] = [];
  const operations = parse(await readDocument('examples/operations.graphql'));
  expect(validate(schema, operations)).toEqual([]);
  visit(
    operations,
    visitWithTypeInfo(typeInfo, {
      SelectionSet({ selections }) {
        const type = typeInfo.getParentType();
        const names = selections.map((each) => each.kind === Kind.FIELD && each.name.value);
        if (isObjectType(type) && type.getFields().id && !names.includes('id')) lacking.push(`${type} { ${names} }`);
      },
    }),
  );
  expect(lacking).toEqual([]);
});

test('partner commands write only to tags that they created', async () => {
  const literalId = /product_tags\/\d|ProductTag(?:Items)?\(id: ?\d|\\?"id\\?": ?\d/;
  for (const path of runHere) {
    for (const { language, code } of await documentBlocks(path)) {
      if (language === 'sh') expect(code, path).not.toMatch(literalId);
    }
  }
});

test('every link, path and anchor resolves', async () => {
  const broken: string[] = [];
  for (const path of documents) {
    for (const [link, target = ''] of (await readDocument(path)).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? path : relative(root, resolve(root, path, '..', file));
      const isThere = existsSync(join(root, found));
      if (!isThere || (anchor && !(await listAnchors(found)).includes(anchor))) broken.push(`${path} ${link}`);
    }
    for (const [, name = ''] of (await readDocument(path)).matchAll(/`((?:test|src|docs|deploy)\/[\w*./-]+)`/g)) {
      if (globSync(name, { cwd: root }).length === 0) broken.push(`${path} ${name}`);
    }
  }
  expect(broken).toEqual([]);
});

const marked = new Marked(gfmHeadingId());

/** GitHub's anchors of a document's headings. */
async function listAnchors(path: string): Promise<string[]> {
  marked.parse(await readDocument(path));
  return getHeadingList().map(({ id }) => id);
}
