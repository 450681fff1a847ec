import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import type { Migration } from 'kysely/migration';

const files = readdirSync(import.meta.dirname).filter((file) => /^\d+_\w+\.(?:js|ts)$/.test(file));

const load = async (file: string): Promise<[string, Migration]> => [parse(file).name, await import(`./${file}`)];

/** The migrations of this folder in order. Never edit a released migration: add a new one. */
export const migrations = Object.fromEntries(await Promise.all(files.toSorted().map(load)));
