import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { root } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { execute } from '../support/postgres-server.ts';
import { startService } from '../support/process.ts';
import { findProgram, lacks, startProgram } from '../support/programs.ts';
import { copyTemplate, type Env, useFolder } from '../support/test-app.ts';

const folder = join(root, 'deploy/prometheus');
const data = await useFolder();
const readYaml = async (name: string) => parse(await readFile(join(folder, name), 'utf8'));

const rules: Record<'alert' | 'expr', string>[] = (await readYaml('rules.yml')).groups[0].rules;
const alerts = rules.map(({ alert }) => alert);

describe.skipIf(lacks('promtool', 'prometheus'))('Prometheus', () => {
  test.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ])('promtool %s %s %s', async (...args) => {
    const { stdout } = await promisify(execFile)(findProgram('promtool') as string, args, { cwd: folder });
    expect(stdout).toContain('SUCCESS');
  });

  test('every dashboard query and rule finds metrics of the service', async () => {
    const dashboard = JSON.parse(await readFile(join(root, 'deploy/grafana/dashboard.json'), 'utf8'));
    const panels: { title: string; targets: { expr: string }[] }[] = dashboard.panels.filter(
      ({ type }: { type: string }) => type !== 'row',
    );
    const queries = [
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
      // Without thresholds: the rules must have data, not fire.
      ...rules.map(({ alert, expr }) => ({ title: alert, expr: expr.replaceAll(/ (?:>|==) [\d.]+/g, '') })),
    ];
    expect(panels.length).toBeGreaterThan(20);

    await using database = await copyTemplate();
    await using gateway = await startScrapedGateway(database.env);
    await using prometheus = await startPrometheus(gateway.target);
    const lacking = async () => {
      await gateway.sendTraffic();
      const results = await Promise.all(queries.map(({ expr }) => prometheus.query(expr)));
      return queries.filter((_, index) => !results[index]?.some(({ value }) => Number.isFinite(Number(value[1]))));
    };
    await expect.poll(lacking, { interval: 500 }).toEqual([]);
    await expect.poll(() => prometheus.health()).toEqual(alerts.map((name) => ({ name, health: 'ok' })));
  });
});

async function startScrapedGateway(env: Env) {
  const management = await freePort();
  const service = await startService({
    ...env,
    MANAGEMENT_PORT: String(management),
    RATE_LIMIT_ADDRESS_WRITES: '20',
  });
  // Without this table, requests with a token fail.
  await execute(env.DATABASE_URL as string, 'drop table partner_tokens');
  const token = `pp_${'x'.repeat(43)}`;
  const { client } = service;
  return {
    target: `127.0.0.1:${management}`,
    async sendTraffic() {
      await client.fetch('GET', '/');
      await client.rest('GET', '/services');
      await client.graphql('{ countries { id } }');
      await client.graphql('{ partner { id } }', {}, { token });
      for (let write = 0; write < 20; write += 1) await client.rest('POST', '/product_tags', { body: {} });
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** The installed Prometheus with the files of `deploy/`, scraping one target at short intervals. */
async function startPrometheus(target: string) {
  const config = await readYaml('prometheus.yml');
  config.global = { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' };
  config.scrape_configs[0].static_configs[0].targets = [target];
  await writeFile(join(data, 'prometheus.yml'), stringify(config));
  await cp(join(folder, 'rules.yml'), join(data, 'rules.yml'));
  const address = `127.0.0.1:${await freePort()}`;
  const settings = [
    `--config.file=${join(data, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(data, 'series')}`,
    `--web.listen-address=${address}`,
  ];
  const request = async (path: string) => {
    const responded = await fetch(`http://${address}/api/v1/${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: each path returns different data
    const { status, error, ...response } = (await responded.json()) as any;
    if (status !== 'success') throw new Error(error);
    return response.data;
  };
  const prometheus = await startProgram('prometheus', settings, () => request('status/buildinfo'), { cwd: data });
  return {
    query: async (expr: string): Promise<{ value: [time: number, value: string] }[]> =>
      (await request(`query?${new URLSearchParams({ query: expr })}`)).result,
    health: async () => {
      const { groups } = await request('rules');
      return groups[0].rules.map(({ name, health }: Record<'name' | 'health', string>) => ({ name, health }));
    },
    [Symbol.asyncDispose]: () => prometheus.kill(),
  };
}
