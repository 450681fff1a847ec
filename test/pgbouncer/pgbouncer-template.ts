import type { TestProject } from 'vitest/node';
import setupPostgres from '../support/postgres-template.ts';
import { findProgram } from '../support/programs.ts';
import { startPgBouncer } from './pgbouncer.ts';

/** As `postgres-template.ts`, with a PgBouncer in transaction mode before the server. */
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
