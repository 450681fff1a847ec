import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { packageFolder } from '../../kernel/package.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { policy } from './policy.ts';

const folder = join(packageFolder, 'dist/src/browser');
const version = readFileSync(join(folder, '../made-of'), 'utf8').slice(0, 16);
const files = new Map<string, CachedResponse>();

/** The URL of a script or style of the pages, which changes with each build. */
export const assetUrl = (name: string) => `/assets/${version}/${name}`;

/** GET /assets/:version/*path */
export const serveAsset: RequestHandler = async ({ params }, response, next) => {
  if (params.version !== version) return next();
  // Normalized, so that it cannot leave the folder.
  const path = join('/', ...[params.path ?? ''].flat());
  let file = files.get(path);
  if (file === undefined) {
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    if (bytes === undefined) return next();
    response.type(extname(path)).set('Cache-Control', 'public, max-age=31536000, immutable');
    file = new CachedResponse(response, bytes);
    files.set(path, file);
  }
  response.removeHeader('Content-Language');
  // A worker loads its own scripts by the policy of its file.
  response.set('Content-Security-Policy', policy());
  file.send(response);
};
