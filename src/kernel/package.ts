import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const manifest = findPackageJSON(import.meta.url) as string;

export const packageFolder = dirname(manifest);

export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
