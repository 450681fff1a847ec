import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createInstalledCluster, createStandbyCluster } from './postgres-cluster.ts';
import { type PostgresServer, startServer } from './postgres-server.ts';
import { execute } from './postgres-template.ts';
import { findProgram } from './programs.ts';

// What is acknowledged is in the memory of two servers, of which one lives on: how slow a disk is, is no part of it.
const settings = ['fsync=off', 'full_page_writes=off'];

/** A primary of the machine's PostgreSQL, and a standby without which it acknowledges nothing. */
export interface PostgresPair extends AsyncDisposable {
  primary: PostgresServer;
  standby: PostgresServer;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
}

/** Starts both, each on a port of its own; a balancer may ask them as the role `balancer`. */
export async function startPostgresPair(): Promise<PostgresPair> {
  await using cleanup = new AsyncDisposableStack();
  const programs = dirname(dirname(findProgram('initdb') as string));
  const cluster = await createInstalledCluster(programs);
  const access = join(cluster.folder, 'data', 'pg_hba.conf');
  await writeFile(access, `host postgres balancer 127.0.0.1/32 trust\n${await readFile(access, 'utf8')}`);
  const primary = cleanup.use(await startServer(cluster, settings));
  await execute(primary.url, 'create role balancer login connection limit 10');
  const { url } = primary;
  const standby = cleanup.use(
    await startServer(await createStandbyCluster(programs, { url, password: cluster.password }), settings),
  );
  await execute(url, "alter system set synchronous_standby_names = 'standby'");
  await execute(url, 'select pg_reload_conf()');
  const states = "select from pg_stat_replication where sync_state = 'sync'";
  while ((await execute(url, states)).rowCount !== 1) await setTimeout(20);
  const running = cleanup.move();
  return {
    primary,
    standby,
    async promote() {
      await execute(standby.url, 'select pg_promote()');
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
