import type { TestProject } from 'vitest/node';
import setupPostgres from '../support/postgres-template.ts';
import { findProgram } from '../support/programs.ts';
import { startPgBouncer } from './pgbouncer.ts';

/** Like `postgres-template.ts`, with PgBouncer in transaction mode in front of the server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (findProgram('pgbouncer') === undefined) return async () => {};
  const tearDown = await setupPostgres(project);
  const { url } = project.getProvidedContext().template as { url: string };
  const bouncer = await startPgBouncer(url);
  project.provide('pooler', bouncer.url);
  return async () => {
    await bouncer[Symbol.asyncDispose]();
    await tearDown();
  };
}
