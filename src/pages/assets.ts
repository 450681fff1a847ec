import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { StartError } from '../errors/start-error.ts';
import { packageFolder } from '../package.ts';

/** What a page loads, by addresses that change with the content. */
export interface Assets {
  script(name: string): string;
  styles(name: string): string[];
  serve: RequestHandler;
}

/** In seconds: a year, as no address ever gets another content. */
const maxAge = 31_536_000;

/** The scripts and styles that `npm run build` made of browser/. Throws a StartError where it has not. */
export function readAssets(): Assets {
  const folder = join(packageFolder, 'dist/browser');
  const entries = readManifest(join(folder, 'manifest.json'));
  const send = sirv(join(folder, 'assets'), { brotli: true, gzip: true, etag: true, immutable: true, maxAge });

  const entryOf = (name: string) => {
    const entry = entries[name];
    if (entry === undefined) throw new Error(`no page loads ${name}`);
    return entry;
  };

  return {
    script: (name) => `/${entryOf(name).file}`,
    styles: (name) => {
      const { file, css = [], imports = [] } = entryOf(name);
      const own = file.endsWith('.css') ? [file] : css;
      return [...imports.flatMap((each) => entries[each]?.css ?? []), ...own].map((each) => `/${each}`);
    },
    serve: (request, response, next) => {
      response.removeHeader('Content-Language');
      request.url = `/${String(request.params.file)}`;
      send(request, response, next);
    },
  };
}

interface Entry {
  file: string;
  css?: string[];
  imports?: string[];
}

function readManifest(file: string): Record<string, Entry> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartError(`The pages have not been built: ${file} cannot be read. Run npm run build.`);
  }
}
