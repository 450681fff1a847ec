import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { ask, type Contender, httpContender } from './contender.ts';
import type { Generator } from './load.ts';
import { peers, type Role, type ServerName } from './peers.ts';
import type { Question, Scenario } from './scenarios.ts';
import type { Server } from './server.ts';

/** Keeps the service's answers for those who send the same bytes: a path for each scenario. */
export async function writeAnswers(file: string, service: Server, scenarios: Scenario[]): Promise<void> {
  const answers = await Promise.all(
    scenarios.map(async ({ id, request, headers }) => [`/${id}`, await ask(service, request, headers)]),
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
  const expected = async () => JSON.parse(await ask(service, scenario.request, scenario.headers));
  return [
    httpContender(generator, {
      name: 'service',
      label: 'this service',
      role: 'service',
      server: service,
      requests: { headers: scenario.headers, list: [scenario.request] },
      check: async () => {},
    }),
    ...[...running].flatMap(([name, server]) => {
      const question = questionOf(scenario, name);
      if (question === undefined) return [];
      const { request, toService } = question;
      return httpContender(generator, {
        name,
        label: peers[name].label,
        role: roleOf(name, scenario),
        server,
        requests: { headers: scenario.headers, list: [request] },
        async check() {
          const answer = JSON.parse(await ask(server, request, scenario.headers));
          const same = toService === undefined ? answer : { data: toService(answer.data as never) };
          assert.deepEqual(same, await expected(), `${name} answers ${scenario.id} otherwise than the service`);
        },
      });
    }),
  ];
}

function questionOf(
  { id, request, peers }: Scenario,
  name: ServerName,
): (Partial<Question> & Pick<Question, 'request'>) | undefined {
  if (name === 'bare' || name === 'express') return { request: { ...request, path: `/${id}` } };
  const question = peers[name];
  return question === 'same' ? { request } : question;
}

// On REST, Express is what one would write instead; on GraphQL it only says what those cost who are built on it.
function roleOf(name: ServerName, scenario: Scenario): Role {
  return name === 'express' && Object.keys(scenario.peers).length === 0 ? 'peer' : peers[name].role;
}
