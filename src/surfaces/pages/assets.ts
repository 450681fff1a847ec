import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { StartError } from '../../kernel/errors/start-error.ts';
import { packageFolder } from '../../kernel/package.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { policy } from './page.ts';

/** The scripts and styles of the pages, at URLs that change with each build. */
export interface Assets {
  url(name: string): string;
  /** Serves /assets/:version/*name. */
  serve: RequestHandler;
}

const served = /\.(css|js|json|png|svg|woff2?)$/;

/** Finds the files that `npm run build` put into dist/src/browser; throws a StartError if it has not run. */
export function readAssets(): Assets {
  const folder = join(packageFolder, 'dist/src/browser');
  const { version, names } = readFolder(folder);
  const files = new Map<string, CachedResponse>();
  return {
    url: (name) => `/assets/${version}/${name}`,
    async serve({ params }, response, next) {
      const name = [params.name].flat().join('/');
      if (params.version !== version || !names.has(name)) return next();
      let file = files.get(name);
      if (file === undefined) {
        const bytes = await readFile(join(folder, name)).catch(() => undefined);
        // A newer build has removed it.
        if (bytes === undefined) return next();
        response.type(extname(name)).set('Cache-Control', 'public, max-age=31536000, immutable');
        file = new CachedResponse(response, bytes);
        files.set(name, file);
      }
      response.removeHeader('Content-Language');
      // A worker loads its own scripts by the policy of its file.
      response.set('Content-Security-Policy', policy());
      file.send(response);
    },
  };
}

function readFolder(folder: string): { version: string; names: Set<string> } {
  try {
    const version = readFileSync(join(folder, '../made-of'), 'utf8').slice(0, 16);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => served.test(name));
    return { version, names: new Set(names.map((name) => name.replaceAll('\\', '/'))) };
  } catch {
    throw new StartError(`The pages have not been built: ${folder} is missing. Run npm run build.`);
  }
}
