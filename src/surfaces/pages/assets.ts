import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { StartError } from '../../kernel/errors/start-error.ts';
import { packageFolder } from '../../kernel/package.ts';
import { acceptedEncoding, type Encoding } from '../../platform/http/cached-response.ts';

/** What a page loads, by addresses that change with the content. */
export interface Assets {
  script(name: string): string;
  styles(name: string): string[];
  serve: RequestHandler;
}

/** No address ever gets another content. Part of a file is nobody's wish. */
const sendOptions = { immutable: true, maxAge: '1y', acceptRanges: false };

/** What the build has added to the name of a file that it compressed. */
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** The scripts and styles that `npm run build` made of browser/. Throws a StartError where it has not. */
export function readAssets(): Assets {
  const folder = join(packageFolder, 'dist/browser');
  const entries = readManifest(join(folder, 'manifest.json'));

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
    serve: serveFiles(join(folder, 'assets')),
  };
}

/** Serves the files that are in a folder now, each in the smallest encoding that is taken. */
function serveFiles(root: string): RequestHandler {
  const names = new Set(readdirSync(root).filter((name) => !/\.(br|gz)$/.test(name)));
  return (request, response, next) => {
    const name = String(request.params.file);
    if (!names.has(name)) return next();
    const accepted = request.headers['accept-encoding'];
    const encoding = accepted === undefined ? 'identity' : acceptedEncoding(accepted);
    const headers = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    response.removeHeader('Content-Language');
    response.vary('Accept-Encoding').type(extname(name));
    response.sendFile(name + endings[encoding], { ...sendOptions, root, headers }, (error) => {
      // Who has gone away gets nothing.
      if (!error || response.headersSent) return;
      for (const header of aboutTheFile) response.removeHeader(header);
      // A build may have replaced it meanwhile.
      next('status' in error && error.status === 404 ? undefined : error);
    });
  };
}

const aboutTheFile = ['Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified'];

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
