import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres-server.ts';
import { prepareBase } from './base.ts';
import { readOptions } from './command-line.ts';
import { listContenders, writeAnswers } from './contenders.ts';
import { cpuTimeOfServer } from './cpu-time.ts';
import { root } from './databases.ts';
import { measureLists } from './lists.ts';
import { measure } from './measure.ts';
import { measureMemory } from './memory.ts';
import { startPeer } from './peers.ts';
import {
  describeCircumstances,
  renderLists,
  renderMeasurements,
  renderMemory,
  renderSync,
  renderWorst,
} from './results.ts';
import { type Build, startBuild } from './service.ts';
import { measureSync } from './sync.ts';
import { measureWorst } from './worst.ts';
import { measureWrites } from './write.ts';

// Exits on signals, which also stops the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const options = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await using cleanup = new AsyncDisposableStack();

say('starting PostgreSQL');
const postgres = cleanup.use(await startPostgres());
const start = async (label: string, role: Build['role'], buildRoot: string) => {
  say(`loading ${options.items} items for ${label}`);
  return cleanup.use(
    await startBuild({ label, role }, { root: buildRoot, folder, serverUrl: postgres.url, ...options }),
  );
};
const service = await start('this service', 'service', root);
const builds = [service];
const plan = { ...options, databaseCpu: () => cpuTimeOfServer(postgres.pid) };
if (options.base !== undefined) {
  say(`preparing ${options.base}`);
  builds.push(await start('base', 'base', await prepareBase(options.base)));
}
const sections: string[] = ['# Benchmark results', await describeCircumstances(service.data, options)];

const scenarios = service.scenarios.filter(({ id }) => options.only.includes(id));
if (scenarios.length > 0) {
  const answers = join(folder, 'answers-service.json');
  // Of every build, so that all begin with as much memory.
  for (const { role, server, scenarios: own } of builds) {
    const asked = own.filter(({ id }) => options.only.includes(id));
    await writeAnswers(join(folder, `answers-${role}.json`), server, asked);
  }
  await using running = new AsyncDisposableStack();
  const peers = options.peers.filter((name) => name !== 'pgbench');
  say(`starting ${peers.join(', ')}`);
  const servers = await Promise.all(
    peers.map(async (name) => [name, running.use(await startPeer(name, service.data.url, answers))] as const),
  );
  for (const scenario of scenarios) {
    say(scenario.id);
    const contenders = listContenders(scenario, builds, new Map(servers));
    sections.push(`## ${scenario.title}`, renderMeasurements(await measure(contenders, plan)));
  }
}
if (options.only.includes('write')) {
  say('write');
  const title = '## REST, with a token: PUT of a tag with 30 to 50 items';
  sections.push(title, renderMeasurements(await measureWrites(builds, plan)));
}
if (options.only.includes('sync')) {
  say('sync');
  for (const build of builds) sections.push(...renderSync(build.label, await measureSync(build, options.rounds)));
}
if (options.only.includes('memory')) {
  say('memory');
  for (const build of builds)
    sections.push(...renderMemory(build.label, await measureMemory(build, options.quick ? 1 : 20)));
}
if (options.only.includes('worst')) {
  say('worst');
  for (const build of builds) sections.push(...renderWorst(build.label, await measureWorst(build, options.seconds)));
}
if (options.only.includes('lists')) {
  say('lists');
  for (const build of builds) sections.push(...renderLists(build.label, await measureLists(build, options.items, say)));
}
say('done');

const report = `${sections.join('\n\n')}\n`;
console.log(report);
if (options.save) await writeFile(new URL('results.md', import.meta.url), report);

/** Prints progress to standard error; only results go to standard output. */
function say(text: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);
}
