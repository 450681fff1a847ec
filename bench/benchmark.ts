import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres-server.ts';
import { listContenders, writeAnswers } from './compare.ts';
import { type Data, loadData } from './data.ts';
import { createDatabase, createTemplate, query } from './database.ts';
import { measureImport } from './import.ts';
import { measure } from './measure.ts';
import { measureMemory } from './memory.ts';
import type { Options, PartId } from './options.ts';
import { type ServerName, startPeer } from './peers.ts';
import { findPgbench } from './pgbench.ts';
import { currentLoad, describeCircumstances, ensureSameVersions, type Results } from './results.ts';
import { measureScaling, type Scaling } from './scaling.ts';
import { listScenarios } from './scenarios.ts';
import type { Server } from './server.ts';
import { startService } from './service.ts';
import { measureStart } from './startup.ts';
import { measureSync } from './sync.ts';
import { measureWorkers, type Workers } from './workers.ts';
import { measureWrites } from './write.ts';

/** Runs the parts that the options name, one after the other, on a PostgreSQL started for it. */
export async function runBenchmark(options: Options): Promise<Results> {
  ensureSameVersions();
  const loadBefore = currentLoad();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const wants = (part: PartId) => options.only.includes(part);

  say('starting PostgreSQL');
  const postgres = await startPostgres();
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(postgres);
  await createTemplate(postgres.url);

  say(`loading ${options.items} items`);
  const data = await loadData(await createDatabase(postgres.url, 'bench'), options.items);
  const [version] = await query<{ server_version: string }>(data.url, 'show server_version');
  const results: Results = {
    circumstances: describeCircumstances(options, {
      counts: data.counts,
      postgres: version?.server_version ?? '',
      pgbench: await findPgbench(),
      loadBefore,
    }),
    scenarios: [],
  };
  {
    await using service = await startService(data.url, join(folder, 'log'));
    const afterStart = await service.rss();
    results.scenarios.push(...(await runScenarios(service, data, options, folder)));
    if (wants('write')) {
      say('write');
      const measurements = await measureWrites(service, data, options);
      results.scenarios.push({
        id: 'write',
        title: 'REST, with a token: PUT of a tag with 30 to 50 items',
        measurements,
      });
    }
    if (wants('sync')) {
      say('sync');
      results.sync = await measureSync(service, data, options.repetitions);
    }
    if (wants('memory')) {
      say('memory');
      const afterScenarios = await service.rss();
      const course = await measureMemory(service, data, options.generator, options.memorySeconds);
      results.memory = { afterStart, afterScenarios, course };
    }
  }
  if (wants('import')) {
    say('import');
    const url = await createDatabase(postgres.url, 'bench_import');
    results.import = await measureImport(url, folder, options.items, options.repetitions);
  }
  if (wants('scaling')) results.scaling = await runScaling(postgres.url, options, folder);
  if (wants('workers')) results.workers = await runWorkers(data, options, folder);
  if (wants('start')) {
    say('start');
    const start = (env: Record<string, string>) => startService(data.url, join(folder, 'log-start'), env);
    results.start = await measureStart(start, join(folder, 'compile-cache'), options.repetitions);
  }
  say('done');
  return results;
}

async function runScenarios(
  service: Server,
  data: Data,
  options: Options,
  folder: string,
): Promise<Results['scenarios']> {
  const scenarios = listScenarios(data).filter((scenario) => options.only.includes(scenario.id));
  if (scenarios.length === 0) return [];
  const answers = join(folder, 'answers.json');
  await writeAnswers(answers, service, scenarios);
  say(`starting ${options.peers.join(', ')}`);
  await using cleanup = new AsyncDisposableStack();
  const running = new Map<ServerName, Server>();
  for (const name of options.peers) {
    if (name !== 'pgbench') running.set(name, cleanup.use(await startPeer(name, data.url, answers)));
  }
  const results: Results['scenarios'] = [];
  for (const scenario of scenarios) {
    say(scenario.id);
    const contenders = listContenders(options.generator, scenario, service, running);
    results.push({ id: scenario.id, title: scenario.title, measurements: await measure(contenders, options) });
  }
  return results;
}

async function runScaling(serverUrl: string, options: Options, folder: string): Promise<Scaling> {
  await using cleanup = new AsyncDisposableStack();
  const start = async (items: number) => {
    say(`loading ${items} items`);
    const data = await loadData(await createDatabase(serverUrl, `bench_${items}`), items);
    return { data, service: cleanup.use(await startService(data.url, join(folder, `log-${items}`))) };
  };
  const [small, large] = options.scaling;
  const loaded = [await start(small), await start(large)] as const;
  say('scaling');
  return await measureScaling(...loaded, options);
}

async function runWorkers(data: Data, options: Options, folder: string): Promise<Workers[]> {
  say('workers');
  await using one = await startService(data.url, join(folder, 'log-one'));
  await using two = await startService(data.url, join(folder, 'log-two'), { WORKERS: '2' });
  return await measureWorkers(one, two, data, options);
}

/** Progress goes to standard error, results alone to standard output. */
function say(text: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);
}
