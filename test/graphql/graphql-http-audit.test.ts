import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));

const audits = serverAudits({ url: () => `${app.url}/graphql` });

// The GraphQL Foundation's audit of GraphQL over HTTP. Only optional behaviour of GET may be missing here.
test.each(audits.map(({ id, name, fn }) => [name, id, fn] as const))('%s (%s)', async (name, _id, audit) => {
  const result = await audit();
  const reason = result.status === 'ok' ? undefined : result.reason;
  const allowed = /^MAY .*\bGETs? /.test(`${name} `) ? ['ok', 'notice'] : ['ok'];
  expect(allowed, reason).toContain(result.status);
});

test('the audit covers the whole specification', () => {
  const required = audits.filter(({ name }) => /^(MUST|SHOULD) /.test(name));
  expect(required.length).toBeGreaterThan(30);
});
