import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { peers, type Role, type ServerName } from './peers.ts';
import type { Question, Scenario } from './scenarios.ts';
import type { Server } from './server-process.ts';
import type { Build } from './service.ts';
import { load, type Request, type Requests } from './wrk.ts';

/** One round of one contender. Latencies in ms. */
export interface Round {
  requestsPerSecond: number;
  p50?: number;
  p99?: number;
  /** CPU time of the server per request, in µs; undefined if the system does not report it. */
  cpuPerRequest?: number | undefined;
  /** The same of PostgreSQL. */
  databaseCpuPerRequest?: number | undefined;
}

/** A server that takes part in a scenario. */
export interface Contender {
  label: string;
  role: Role;
  /** Throws if its responses differ from the service's. */
  check(): Promise<void>;
  measure(seconds: number): Promise<Round>;
  rss(): Promise<number | undefined>;
}

interface HttpContender extends Pick<Contender, 'label' | 'role' | 'check'> {
  server: Server;
  requests: Requests;
}

/** A contender that gets its requests over HTTP. */
export function httpContender({ server, requests, ...rest }: HttpContender): Contender {
  return {
    ...rest,
    async measure(seconds) {
      await server.truncateOutput();
      const before = await server.cpuTime();
      const result = await load(server.url, requests, seconds);
      const after = await server.cpuTime();
      assert((await server.truncateOutput()) !== 0, `${rest.label} has not logged a line`);
      return {
        requestsPerSecond: result.requests / result.seconds,
        p50: result.p50,
        p99: result.p99,
        cpuPerRequest: before === undefined || after === undefined ? undefined : (after - before) / result.requests,
      };
    },
    rss: () => server.rss(),
  };
}

/** The text of a server's response. Throws if its status is not 200. */
export async function ask(server: Server, { method, path, body }: Request, headers: Record<string, string>) {
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text.slice(0, 500)}`);
  return text;
}

/** Stores the service's responses for the peers that send the same bytes: a path for each request of each scenario. */
export async function writeAnswers(file: string, service: Server, scenarios: Scenario[]): Promise<void> {
  const answers: Record<string, string> = {};
  for (const scenario of scenarios) {
    for (const [index, request] of scenario.requests.entries())
      answers[toPath(scenario, index)] = await ask(service, request, scenario.headers);
  }
  await writeFile(file, JSON.stringify(answers));
}

/** The builds and the running peers that take part in a scenario of the service, the service first. */
export function listContenders(
  scenario: Scenario,
  builds: Build[],
  running: ReadonlyMap<ServerName, Server>,
): Contender[] {
  const { id, headers } = scenario;
  const service = (builds[0] as Build).server;
  const ownScenarios = builds.flatMap(({ label, role, server, scenarios }) => {
    const own = scenarios.find((each) => each.id === id);
    if (own === undefined) return [];
    const requests = { headers: own.headers, list: own.requests };
    // Not compared, because another build may have another schema. The load fails if a response is not 2xx.
    return httpContender({ label, role, server, requests, check: async () => {} });
  });
  const ofPeers = [...running].flatMap(([name, server]) => {
    const question = findQuestion(scenario, name);
    if (question === undefined) return [];
    const { requests, toService } = question;
    return httpContender({
      label: peers[name].label,
      // On REST, Express is the alternative; on GraphQL, it only shows the costs of servers that use it.
      role: name === 'express' && Object.keys(scenario.peers).length === 0 ? 'peer' : peers[name].role,
      server,
      requests: { headers, list: requests },
      async check() {
        for (const [index, request] of requests.entries()) {
          const answer = JSON.parse(await ask(server, request, headers));
          const same = toService === undefined ? answer : { data: toService(answer.data as never) };
          const expected = JSON.parse(await ask(service, scenario.requests[index] as Request, headers));
          assert.deepEqual(same, expected, `the response of ${name} to ${id} differs`);
        }
      },
    });
  });
  return [...ownScenarios, ...ofPeers];
}

function findQuestion(scenario: Scenario, name: ServerName): Question | undefined {
  const { requests, peers } = scenario;
  if (name === 'bare' || name === 'express') {
    return { requests: requests.map((request, index) => ({ ...request, path: toPath(scenario, index) })) };
  }
  const question = peers[name];
  return question === 'same' ? { requests } : question;
}

function toPath({ id }: Scenario, index: number): string {
  return `/${id}/${index}`;
}
