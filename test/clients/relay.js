import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import relay from 'relay-runtime';
import { relayEnvironment } from './clients.js';

/** As in the guide: ids are integers, and an item may have the id of a tag. */
const getDataID = ({ id }, type) => (id == null ? undefined : `${type}:${id}`);

/** Compiles documents by name with Relay's compiler, in an empty folder. Throws what the compiler prints for an invalid one. */
export async function compile(folder, schema, documents) {
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'out'));
  const source = Object.values(documents).map((text) => `graphql\`${text}\`;`);
  await writeFile(join(folder, 'src/Screen.js'), source.join('\n'));
  await writeFile(join(folder, 'schema.graphql'), schema);
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'javascript',
    artifactDirectory: './out',
    eagerEsModules: true,
  };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  const compiler = join(import.meta.dirname, 'node_modules/relay-compiler/cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, 'relay.config.json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
  const load = async (name) => (await import(pathToFileURL(join(folder, `out/${name}.graphql.js`)).href)).default;
  return Object.fromEntries(await Promise.all(Object.keys(documents).map(async (name) => [name, await load(name)])));
}

export function openScreen(url, headers, fetch) {
  const environment = relayEnvironment(url, headers, fetch, { getDataID });
  return {
    load: (request, variables) => relay.fetchQuery(environment, request, variables).toPromise(),
    read: (request, variables) => environment.lookup(relay.createOperationDescriptor(request, variables).fragment).data,
    mutate(mutation, variables) {
      const { promise, resolve, reject } = Promise.withResolvers();
      relay.commitMutation(environment, { mutation, variables, onCompleted: resolve, onError: reject });
      return promise;
    },
  };
}
