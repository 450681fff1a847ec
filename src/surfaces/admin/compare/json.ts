import { InvalidArgumentError } from '@commander-js/extra-typings';

declare global {
  interface JSON {
    parse(text: string, revive: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Paths of JSON values, from the root `$`. All elements of an array have the same one. */
export const elementOf = (path: string) => `${path}[*]`;
export const memberOf = (path: string, key: string) => path + (/^[\w-]+$/.test(key) ? `.${key}` : `['${key}']`);

const anyStep = String.raw`(?:\.[\w-]+|\['.*?'\]|\[\*\])`;
const steps = /\.\.?(?:[\w-]+|\*)|\['[^']*'\]|\[\*\]/g;

/** Reads a path such as `$.countries[*].name`, where `*` is any member and `..` any depth, as a test of paths. */
export function parsePath(text: string): RegExp {
  const path = text.startsWith('$') ? text.slice(1) : `.${text}`;
  if (path === '' || path.replaceAll(steps, '') !== '')
    throw new InvalidArgumentError('It must be a path such as $.countries[*].name or $..request_id');
  const pattern = path.replaceAll(steps, (step) => {
    const depth = step.startsWith('..') ? `${anyStep}*` : '';
    const last = step.replace('..', '.');
    return depth + (last === '.*' ? anyStep : last.replaceAll(/[^\w-]/g, '\\$&'));
  });
  return new RegExp(`^\\$${pattern}$`);
}

/** The value of a JSON text, undefined if it is none. Integers beyond 2^53 keep their digits. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}
