import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const manifest = findPackageJSON(import.meta.url) as string;

/** The service's installation folder. */
export const packageFolder = dirname(manifest);

/** The service's version. */
export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
