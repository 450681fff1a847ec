import { defineConfig } from 'vitest/config';
import { findProgram } from './test/support/programs.ts';

// `test/*.test.ts` is the contract of both surfaces and runs on both databases. Everything else needs only one of them.
const shared = {
  // Modules hold no state of a test, so files of one worker share them.
  isolate: false,
  setupFiles: 'test/support/print-failed-exchanges.ts',
  // These end only what hangs: a slow machine takes a tenth of them.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000, interval: 50 } },
  // What Node resolves it to; Vite would take graphql's ESM build, a second copy whose classes are not Apollo's.
  alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
};

// What writes and reads through transactions. Without a PgBouncer these tests are skipped.
const throughPooler = [
  'test/{product-tag*,idempotency-keys,viewer,tenants}.test.ts',
  'test/postgres/concurrent-*.test.ts',
  'test/processes/database-faults.test.ts',
];

// A command that sends thousands of requests: not part of `npm test`.
const longest = ['test/postgres/admin-compare.test.ts'];

// What measures the service under load, alone on the machine.
const underLoad = ['contended-tag', 'database', 'memory', 'proportion', 'shedding', 'slow-clients'].map(
  (name) => `test/faults/${name}.test.ts`,
);

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Of a long list that differs, a failure prints the first lines.
    diff: { truncateThreshold: 40 },
    projects: [
      {
        test: {
          ...shared,
          name: 'pglite',
          include: ['test/*.test.ts', 'test/pglite/*.test.ts'],
          globalSetup: 'test/support/pglite-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['test/*.test.ts', 'test/postgres/*.test.ts', 'test/service/*.test.ts'],
          exclude: longest,
          globalSetup: 'test/support/postgres-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'deployment',
          include: [
            ...longest,
            ...['check', 'clients', 'deploy', 'federation', 'processes', 'redis'].map(
              (folder) => `test/${folder}/*.test.ts`,
            ),
          ],
          globalSetup: 'test/support/postgres-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'pgbouncer',
          include: [...(findProgram('pgbouncer') ? throughPooler : []), 'test/pgbouncer/*.test.ts'],
          globalSetup: 'test/support/pgbouncer-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: ['test/embedded/*.test.ts'],
          globalSetup: 'test/support/pglite-template.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/support/pglite-template.ts', 'test/support/chromium.ts'],
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
          // One at a time and after the others: the load of one is no part of another.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'cluster',
          include: ['test/cluster/*.test.ts'],
          // One at a time: the load of one is no part of another.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
