import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { processMemory } from '../../src/kernel/memory-bounds.ts';
import { readDocument } from '../support/documents.ts';

const inMiB = processMemory / 2 ** 20;

test('containers and units are limited to the memory that a process needs', async () => {
  const { services } = parse(await readDocument('compose.yaml'), { merge: true });
  for (const name of ['gateway', 'replica1']) expect(services[name].deploy.resources.limits.memory).toBe(`${inMiB}m`);
  const deployment = parse(await readDocument('deploy/kubernetes/deployment.yaml'));
  const memory = `${inMiB}Mi`;
  expect(deployment.spec.template.spec.containers[0].resources).toMatchObject({
    requests: { memory },
    limits: { memory },
  });
  expect(await readDocument('deploy/systemd/partner-gateway@.service')).toContain(`MemoryMax=${inMiB}M`);
});

test.each(['SECURITY.md', 'docs/operations/deploy.md', 'docs/operations/runbook.md'])('%s names it', async (path) => {
  const figures = (await readDocument(path)).match(/\d+ MiB/g);
  expect(new Set(figures)).toEqual(new Set([`${inMiB} MiB`]));
});
