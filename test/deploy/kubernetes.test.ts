import { execFile } from 'node:child_process';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { envToConfig, variables } from '../../src/app/config.ts';
import { useFolder } from '../support/app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'deploy/kubernetes');
const read = (path: string) => readFile(join(root, path), 'utf8');

const customization = parse(await read('deploy/kubernetes/kustomization.yaml'));
// biome-ignore lint/suspicious/noExplicitAny: the schemas check the shape
type Manifest = any;
const manifests: Manifest[] = (
  await Promise.all(
    customization.resources.map(async (name: string) =>
      parseAllDocuments(await read(`deploy/kubernetes/${name}`), { merge: true }).map((each) => each.toJS()),
    ),
  )
).flat();
const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
const [deployment, job, budget] = [find('Deployment'), find('Job'), find('PodDisruptionBudget')];
const services = manifests.filter(({ kind }) => kind === 'Service');
const pod = deployment.spec.template.spec;
const [gateway] = pod.containers;
const [migration] = job.spec.template.spec.containers;
const scratch = await useFolder();

test('the kustomization has every file, and its image is the one of the containers', async () => {
  expect(['kustomization.yaml', ...customization.resources].toSorted()).toEqual((await readdir(folder)).toSorted());
  expect([gateway.image, migration.image]).toEqual([customization.images[0].name, customization.images[0].name]);
});

/** The published schemas check values; the types made of them also reject names that Kubernetes would ignore. */
test('the schemas of Kubernetes accept every manifest', async () => {
  const models = join(root, 'test/deploy/node_modules/kubernetes-models');
  const typed = manifests.map(async (manifest, index) => {
    const file = join(models, manifest.apiVersion, `${manifest.kind}.js`);
    const { [manifest.kind]: Model } = await import(file);
    new Model(manifest).validate();
    return `export const manifest${index}: import('${file}').I${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  const source = join(scratch, 'manifests.ts');
  await writeFile(source, (await Promise.all(typed)).join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', '--types', ''];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, ...options, source]);
});

test('every setting is one that the service knows and accepts', () => {
  const settings: { name: string; value?: string; valueFrom?: unknown }[] = [...gateway.env, ...migration.env];
  expect(Object.keys(variables)).toEqual(expect.arrayContaining(settings.map(({ name }) => name)));
  const values = Object.fromEntries(gateway.env.map(({ name, value }: (typeof settings)[0]) => [name, value]));
  const DATABASE_URL = 'postgres://database.example/gateway';
  const { port, management, shutdownDelay, databasePoolSize } = envToConfig({ ...values, DATABASE_URL });
  const ports = Object.fromEntries(gateway.ports.map(({ name, containerPort }: Manifest) => [name, containerPort]));
  expect(ports).toEqual({ http: port, management: management?.port });
  expect(management?.host).toBe('0.0.0.0');
  // The longest that there is: endpoints are removed while the pod stops.
  expect(shutdownDelay).toBe(4_000);
  const pods = deployment.spec.replicas + deployment.spec.strategy.rollingUpdate.maxSurge;
  expect(pods * (databasePoolSize + 1)).toBeLessThanOrEqual(92);
});

test('secrets are references, and deploy.md creates them', async () => {
  const document = await read('docs/operations/deploy.md');
  expect(document).toContain('create secret generic partner-gateway --from-literal=database-url=');
  for (const { env } of [gateway, migration]) {
    for (const { name, value, valueFrom } of env) {
      const isSecret = /_URL$/.test(name);
      expect([name, value === undefined, valueFrom?.secretKeyRef.name]).toEqual([
        name,
        isSecret,
        isSecret ? 'partner-gateway' : undefined,
      ]);
    }
  }
});

test('probes are on the management port, and the Services lead to the ports', () => {
  expect(gateway.startupProbe.httpGet).toEqual({ path: '/livez', port: 'management' });
  expect(gateway.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'management' });
  expect(gateway.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'management' });
  expect(services.map(({ spec }) => spec.ports[0].targetPort)).toEqual(['http', 'management']);
  const { labels } = deployment.spec.template.metadata;
  const selectors = [deployment, budget].map(({ spec }) => spec.selector.matchLabels);
  for (const selector of [...selectors, ...services.map(({ spec }) => spec.selector)]) expect(selector).toEqual(labels);
  expect(job.spec.template.metadata.labels).not.toMatchObject(labels);
});

test.each([deployment, job])('$kind can change nothing but the database', ({ spec: { template } }) => {
  const { spec } = template;
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(spec.containers).toHaveLength(1);
  expect(spec.containers[0]).toMatchObject({
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    resources: {
      requests: { cpu: expect.anything(), memory: expect.anything() },
      limits: { memory: expect.anything() },
    },
  });
});

test('a pod may take as long to stop as it needs, and an update takes none away before its successor is ready', () => {
  // In seconds; src/main.ts ends a stop after 15.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(15);
  expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
});

test('the manifests fit the image', async () => {
  const dockerfile = await read('Dockerfile');
  // Which is uid 1000 in the images of Node.
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${gateway.ports[0].containerPort}$`, 'm'));
  const scripts: string[] = migration.command.at(-1).match(/dist\/\S+/g);
  expect(scripts).toHaveLength(2);
  for (const script of scripts) await access(join(root, script.replace(/^dist\//, '').replace(/\.js$/, '.ts')));
});
