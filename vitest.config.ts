import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findProgram } from './test/support/programs.ts';

// `test/*.test.ts` is the contract of both APIs and runs on both databases. Other tests are in a folder per feature:
// `x.pglite.test.ts` runs on the embedded database, all others on PostgreSQL. Each folder of `apart` is a project,
// because it needs more than a database.
const shared = {
  // Modules have no state of a test, so the files of a worker share them.
  isolate: false,
  setupFiles: 'test/support/print-failed-exchanges.ts',
  // Only for tests that hang: a slow machine needs a tenth of these times.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 100_000, interval: 50 } },
  // Tests import the sources for their types, but run the build: the program that `npm start` runs.
  alias: [
    { find: /^(?:\.\.\/)+(src|migrations)\/(.*)\.ts$/, replacement: join(import.meta.dirname, 'dist/$1/$2.js') },
    // The copy that Node resolves, because two copies of the library do not share types.
    { find: /^graphql$/, replacement: join(import.meta.dirname, 'node_modules/graphql/index.js') },
  ],
  server: { deps: { external: [/\/dist\/(src|migrations)\//] } },
};

const apart = ['browser', 'cluster', 'deploy', 'clients', 'faults', 'pgbouncer', 'redis', 'check'];

// Only `npm run test:all` runs these: tests that start many processes, large inputs, and long waits.
const slow = [
  ...['admin/*', 'database/{concurrent-reads,faults,other-settings,statement-deadline}'],
  ...['documents/*', 'graphql/compiled-execution', 'hostile/*', 'http/connections', 'observability/log-format'],
  ...['observability/management', 'observability/secrets', 'observability/stalled-output', 'observability/tracing'],
  ...['pages/overview', 'product-tags/concurrent-*', 'start/start'],
].map((name) => `test/${name}.test.ts`);
const embedded = 'test/*/*.pglite.test.ts';

// Transactions, locks, deadlines and lost connections. Skipped without PgBouncer.
const throughPooler = ['idempotency-keys', 'product-tags/concurrent-*', 'database/faults'].map(
  (name) => `test/${name}.test.ts`,
);

// Measures how long others wait during an attack, so nothing else may run beside it.
const underLoad = ['attacks', 'floods'].map((name) => `test/faults/${name}.test.ts`);

export default defineConfig({
  test: {
    maxWorkers: 2,
    // A failure prints the first lines of a long difference.
    diff: { truncateThreshold: 40 },
    projects: [
      {
        test: {
          ...shared,
          name: 'pglite',
          include: ['test/*.test.ts', embedded],
          globalSetup: 'test/support/pglite-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['test/*.test.ts', 'test/*/*.test.ts'],
          exclude: [...slow, embedded, `test/{${apart}}/**`],
          globalSetup: 'test/support/postgres-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'deployment',
          include: [
            ...slow,
            ...['clients', 'deploy', 'redis'].map((folder) => `test/${folder}/*.test.ts`),
            'takeover/test/*.test.ts',
          ],
          exclude: [embedded],
          globalSetup: ['test/support/postgres-template.ts', 'test/support/pglite-template.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'pgbouncer',
          include: [...(findProgram('pgbouncer') ? throughPooler : []), 'test/pgbouncer/*.test.ts'],
          globalSetup: 'test/pgbouncer/pgbouncer-template.ts',
        },
      },
      {
        test: {
          ...shared,
          // Part of `npm run check`.
          name: 'check',
          include: ['test/check/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: 'test/support/pglite-template.ts',
          // Chromium would take the time of tests that start several services.
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'faults',
          include: ['test/faults/*.test.ts'],
          exclude: underLoad,
          globalSetup: 'test/support/postgres-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'load',
          include: underLoad,
          globalSetup: 'test/support/postgres-template.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'cluster',
          include: ['test/cluster/*.test.ts'],
        },
      },
    ],
  },
});
