import { Server } from './server.ts';

/** Peers that serve HTTP, each a script of `peers/`, and pgbench. */
export const peers = {
  bare: { label: 'bare node:http, same bytes', role: 'limit' },
  express: { label: 'Express 5, same bytes', role: 'reference' },
  apollo: { label: 'Apollo Server 5, Express 5', role: 'peer' },
  mercurius: { label: 'mercurius, JIT, loaders', role: 'peer' },
  yoga: { label: 'GraphQL Yoga 5', role: 'peer' },
  postgraphile: { label: 'PostGraphile 5', role: 'peer' },
  pgbench: { label: 'pgbench', role: 'limit' },
} as const satisfies Record<string, { label: string; role: Role }>;

/** `peer` computes its answers; `limit` is what no server can beat; `reference` is neither. */
export type Role = 'service' | 'peer' | 'limit' | 'reference';

export type PeerName = keyof typeof peers;

export const peerNames = Object.keys(peers) as PeerName[];

export type ServerName = Exclude<PeerName, 'pgbench'>;

/** Starts a peer. `answersFile` has what those that only send bytes send. */
export async function startPeer(name: ServerName, databaseUrl: string, answersFile: string): Promise<Server> {
  return Server.start({
    script: `bench/peers/${name}.ts`,
    env: { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(poolSize), ANSWERS: answersFile },
    readyPath: '/',
  });
}

/** Connections to PostgreSQL of each server, the service's default. */
export const poolSize = 10;
