import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../support/documents.ts';
import { useFolder } from '../support/test-app.ts';

const folder = join(root, 'deploy/kubernetes');
const models = join(root, 'test/deploy/node_modules/kubernetes-models');

/** The published schemas check values; types generated from them also reject names that Kubernetes would ignore. */
test('every manifest matches the Kubernetes schemas', async () => {
  const names = (await readdir(folder)).filter((name) => name !== 'kustomization.yaml');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const manifests = texts.flatMap((text) => parseAllDocuments(text, { merge: true }).map((each) => each.toJS()));
  const typed = manifests.map(async (manifest, index) => {
    const file = join(models, manifest.apiVersion, `${manifest.kind}.js`);
    const { [manifest.kind]: Model } = await import(file);
    new Model(manifest).validate();
    return `export const manifest${index}: import('${file}').I${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  const source = join(await useFolder(), 'manifests.ts');
  await writeFile(source, (await Promise.all(typed)).join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', '--types', ''];
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, source]);
});
