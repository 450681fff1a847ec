import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { packageFolder } from '../../kernel/package.ts';
import { EncodedBody } from '../../platform/cache/encoded-body.ts';
import { createCsp } from './csp.ts';

const folder = join(packageFolder, 'dist/src/browser');
const version = readFileSync(join(folder, '../made-of'), 'utf8').slice(0, 16);
/** With slashes on every system. */
const assetNames = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|js|json|png|svg|woff2?)$/.test(name))
    .map((name) => name.replaceAll('\\', '/')),
);
const files = new Map<string, EncodedBody>();

/** Changes with each build. */
export const assetUrl = (name: string) => `/assets/${version}/${name}`;

export const serveAsset: RequestHandler = async ({ params }, response, next) => {
  const path = [params.path].flat().join('/');
  if (params.version !== version || !assetNames.has(path)) return next();
  let file = files.get(path);
  if (file === undefined) {
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    // A newer build has removed the file.
    if (bytes === undefined) return next();
    file = new EncodedBody(bytes);
    files.set(path, file);
  }
  response.type(extname(path)).set('Cache-Control', 'public, max-age=31536000, immutable');
  response.removeHeader('Content-Language');
  // Workers have the policy of their own file.
  response.set('Content-Security-Policy', createCsp());
  void file.send(response);
};
