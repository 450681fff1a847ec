import { envToConfig } from '../../src/app/config.ts';
import { Client } from './client.ts';
import { type ProcessEnv, type ServiceProcess, startService } from './process.ts';
import { contractOf } from './rest-contract.ts';

/** Starts the service as an operator does, without limits on the number of requests. */
export async function startGateway(env: ProcessEnv): Promise<ServiceProcess & { client: Client }> {
  const unlimited = { RATE_LIMIT: 'off' };
  const service = await startService({ LOG_LEVEL: 'silent', ...unlimited, ...env });
  return Object.assign(service, { client: new Client(service.url, contractOf(envToConfig(unlimited))) });
}
