import { parse } from 'yaml';

interface Service {
  environment?: Record<string, string | number>;
  command?: string[];
  deploy?: { replicas?: number };
}

/** The services of a compose file, what they share merged into them. */
export function readServices(compose: string): Record<string, Service> {
  return parse(compose, { merge: true }).services;
}
