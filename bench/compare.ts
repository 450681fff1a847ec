import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { ask, type Contender, httpContender } from './contender.ts';
import type { Generator, Request } from './load.ts';
import { peers, type Role, type ServerName } from './peers.ts';
import type { Question, Scenario } from './scenarios.ts';
import type { Server } from './server.ts';

/** Keeps the service's answers for those who send the same bytes: a path for each request of each scenario. */
export async function writeAnswers(file: string, service: Server, scenarios: Scenario[]): Promise<void> {
  const answers = await Promise.all(
    scenarios.flatMap((scenario) =>
      scenario.requests.map(async (request, index) => [
        pathOf(scenario, index),
        await ask(service, request, scenario.headers),
      ]),
    ),
  );
  await writeFile(file, JSON.stringify(Object.fromEntries(answers)));
}

/** Who takes part in a scenario, the service first; of the peers those that run. */
export function listContenders(
  generator: Generator,
  scenario: Scenario,
  service: Server,
  running: ReadonlyMap<ServerName, Server>,
): Contender[] {
  const { headers } = scenario;
  return [
    httpContender(generator, {
      name: 'service',
      label: 'this service',
      role: 'service',
      server: service,
      requests: { headers, list: scenario.requests },
      check: async () => {},
    }),
    ...[...running].flatMap(([name, server]) => {
      const question = questionOf(scenario, name);
      if (question === undefined) return [];
      const { requests, toService } = question;
      return httpContender(generator, {
        name,
        label: peers[name].label,
        role: roleOf(name, scenario),
        server,
        requests: { headers, list: requests },
        async check() {
          for (const [index, request] of requests.entries()) {
            const answer = JSON.parse(await ask(server, request, headers));
            const same = toService === undefined ? answer : { data: toService(answer.data as never) };
            const expected = JSON.parse(await ask(service, scenario.requests[index] as Request, headers));
            assert.deepEqual(same, expected, `${name} answers ${scenario.id} otherwise than the service`);
          }
        },
      });
    }),
  ];
}

function questionOf(
  scenario: Scenario,
  name: ServerName,
): (Partial<Question> & Pick<Question, 'requests'>) | undefined {
  const { requests, peers } = scenario;
  if (name === 'bare' || name === 'express') {
    return { requests: requests.map((request, index) => ({ ...request, path: pathOf(scenario, index) })) };
  }
  const question = peers[name];
  return question === 'same' ? { requests } : question;
}

function pathOf({ id }: Scenario, index: number): string {
  return `/${id}/${index}`;
}

// On REST, Express is what one would write instead; on GraphQL it only says what those cost who are built on it.
function roleOf(name: ServerName, scenario: Scenario): Role {
  return name === 'express' && Object.keys(scenario.peers).length === 0 ? 'peer' : peers[name].role;
}
