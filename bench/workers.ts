import { httpContender } from './contender.ts';
import type { Data } from './data.ts';
import { type Measurement, measure } from './measure.ts';
import type { Options } from './options.ts';
import { listScenarios, type Scenario } from './scenarios.ts';
import type { Server } from './server.ts';

/** The same requests to one worker and to two, which share the processors with whoever asks them and with PostgreSQL. */
export interface Workers {
  title: string;
  measurements: Measurement[];
}

const asked = [
  ['rest-countries', '249 countries, from memory'],
  ['graphql-item-pages', '50 items with their tags, from PostgreSQL'],
] as const;

/** Compares services of one and of two workers. */
export async function measureWorkers(one: Server, two: Server, data: Data, options: Options): Promise<Workers[]> {
  const scenarios = listScenarios(data);
  const results: Workers[] = [];
  for (const [id, title] of asked) {
    const { headers, requests } = scenarios.find((scenario) => scenario.id === id) as Scenario;
    const contender = (label: string, role: 'limit' | 'service', server: Server) =>
      httpContender(options.generator, {
        name: 'service',
        label,
        role,
        server,
        requests: { headers, list: requests },
        check: async () => {},
      });
    // The shares of the results are then those of the one.
    const contenders = [contender('WORKERS=1', 'limit', one), contender('WORKERS=2', 'service', two)];
    results.push({ title, measurements: await measure(contenders, options) });
  }
  return results;
}
