import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findProgram } from './test/support/programs.ts';

// `test/contract` is the contract of both APIs. Other tests have a folder for each feature. All run on PostgreSQL, unless
// the file's name says otherwise (or its folder: browser, check, pgbouncer); it may have several of these parts:
//
//   x.slow.test.ts       not in `npm test`: many processes, other programs, large inputs, long waits
//   x.both.test.ts       on the embedded database too
//   x.pglite.test.ts     on the embedded database alone
//   x.pgbouncer.test.ts  through PgBouncer too: transactions, locks, deadlines and lost connections
//   x.load.test.ts       not in `.ci/run`: measures how long others wait during an attack, or takes both processors,
//                        so nothing else may run beside it
//
// `.ci/full` also runs `takeover/test`, and the rest of the contract on the embedded database.
const shared = {
  // Modules have no state of a test, so the files of a worker share them.
  isolate: false,
  setupFiles: 'test/support/each-file.ts',
  // Only for tests that hang: a busy machine needs a tenth of these times.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Optimizing its WebAssembly takes most of the time to open the embedded database.
  execArgv: ['--liftoff-only'],
  expect: { poll: { timeout: 100_000, interval: 50 } },
  // Tests import the sources for their types, but run the build: the program that `npm start` runs.
  alias: [
    { find: /^(?:\.\.\/)+(src|migrations)\/(.*)\.ts$/, replacement: join(import.meta.dirname, 'dist/$1/$2.js') },
    // The copy that Node resolves, because two copies of the library do not share types.
    { find: /^graphql$/, replacement: join(import.meta.dirname, 'node_modules/graphql/index.js') },
  ],
  server: { deps: { external: [/\/dist\/(src|migrations)\//] } },
};

const postgres = 'test/support/postgres-template.ts';
const pglite = 'test/support/pglite-template.ts';

/** The files of a project, and what starts before the first of them. */
const project = (name: string, include: string[], globalSetup: string[], more = {}) => ({
  test: { ...shared, name, include, globalSetup, ...more },
});

/** Whether the command names neither a project nor a file: then it runs the quickest project alone. */
const [, program = '', ...given] = process.argv;
const isBare =
  program.includes('vitest') &&
  !given.some((each) => each.startsWith('--project') || /\.test(\.ts)?(:\d+)?$/.test(each));

const projects = [
  project('postgres', ['test/*/*.test.ts'], [postgres], {
    exclude: ['test/*/*.{slow,pglite,load}.test.ts', 'test/{browser,check,pgbouncer}/*'],
  }),
  project('pglite', ['test/*/*.both.*', 'test/*/*.pglite.*'], [pglite]),
  project('full', ['test/contract/*.test.ts'], [pglite], { exclude: ['test/*/*.both.*'] }),
  project('slow', ['test/*/*.slow.test.ts'], [postgres, pglite]),
  project('takeover', ['takeover/test/*.test.ts'], [postgres]),
  project(
    'pgbouncer',
    // Without PgBouncer, these tests are skipped.
    ['test/pgbouncer/*.test.ts', ...(findProgram('pgbouncer') ? ['test/*/*.pgbouncer.*'] : [])],
    ['test/pgbouncer/pgbouncer-template.ts'],
  ),
  // A failed test runs once more: another program of the machine may have taken the CPU during the attack.
  project('load', ['test/*/*.load.test.ts'], [postgres], { maxWorkers: 1, retry: 1, sequence: { groupOrder: 1 } }),
  // Chromium would take the time of tests that start several services.
  project('browser', ['test/browser/*.test.ts'], [pglite], { maxWorkers: 2, sequence: { groupOrder: 2 } }),
  // Part of `npm run check`.
  project('check', ['test/check/*.test.ts'], []),
];

export default defineConfig({
  test: {
    // Many tests wait for another process or a timeout: three workers use three quarters of two cores.
    maxWorkers: 4,
    // A failure prints the first lines of a long difference.
    diff: { truncateThreshold: 40 },
    projects: isBare ? projects.slice(0, 1) : projects,
  },
});
