import { root } from './databases.ts';
import { Server } from './server-process.ts';

/** HTTP peers, each a script in `peers/`, and pgbench. */
export const peers = {
  bare: { label: 'bare node:http, same bytes', role: 'limit' },
  express: { label: 'Express 5, same bytes', role: 'reference' },
  apollo: { label: 'Apollo Server 5, Express 5', role: 'peer' },
  mercurius: { label: 'mercurius, JIT, loaders', role: 'peer' },
  yoga: { label: 'GraphQL Yoga 5', role: 'peer' },
  postgraphile: { label: 'PostGraphile 5', role: 'peer' },
  pgbench: { label: 'pgbench', role: 'limit' },
} as const satisfies Record<string, { label: string; role: Role }>;

/** `base` is another build, `peer` computes its responses, no server can beat `limit`, `reference` is not compared. */
export type Role = 'service' | 'base' | 'peer' | 'limit' | 'reference';

export type PeerName = keyof typeof peers;

export const peerNames = Object.keys(peers) as PeerName[];

export type ServerName = Exclude<PeerName, 'pgbench'>;

/** Starts a peer. `answersFile` has the responses for peers that only send bytes. */
export async function startPeer(name: ServerName, databaseUrl: string, answersFile: string): Promise<Server> {
  return Server.start({
    root,
    script: `bench/peers/${name}.ts`,
    env: { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(poolSize), ANSWERS: answersFile },
    readyPath: '/',
  });
}

/** Connections of each server to PostgreSQL: the service's default. */
export const poolSize = 10;
