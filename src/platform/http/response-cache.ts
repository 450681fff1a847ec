import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';
import { hasBody, receivedBody } from './body.ts';
import type { Middleware } from './middleware.ts';
import { addHeader, CachedResponse, scopeOf, send } from './response.ts';

/** What a cached response takes beside its key and its bytes, in bytes: headers, buffers and objects (measured, rounded up). */
const responseOverhead = 2_048;

/** In bytes. Responses to longer requests are not cached. */
const maxBodyLength = 16 * 1_024;

/** In ms. Time zones change their offsets from UTC on quarter hours only. */
const quarterHour = 15 * 60_000;

/** The quarter hour of the clock, counted from 1970. */
export const currentQuarter = () => Math.floor(Date.now() / quarterHour);

/** A response that is being made: resolves to it, or to undefined once it is known not to be public. */
interface Pending extends PromiseWithResolvers<CachedResponse | undefined> {
  /** As declared; never true again once it was false. */
  isPublic?: boolean;
  /** The quarter hour that the response is for, if it depends on the clock. */
  quarter?: number;
}

const pendingResponses = new WeakMap<ServerResponse, Pending>();

/**
 * Declares whether a response holds reference data alone, so that the same request always gets the same response. The cache
 * stores only responses that were declared public and never private.
 */
export function declarePublic(response: ServerResponse, isPublic: boolean): void {
  const pending = pendingResponses.get(response);
  if (pending === undefined) return;
  pending.isPublic = isPublic && pending.isPublic !== false;
  if (!isPublic) pending.resolve(undefined);
}

/** Declares that a response contains UTC offsets of a quarter hour: the cache does not send it in another one. */
export function declareQuarter(response: ServerResponse, quarter: number): void {
  const pending = pendingResponses.get(response);
  if (pending !== undefined) pending.quarter ??= quarter;
}

/**
 * Sends the whole response of a surface, whose other headers are set. A public one also goes into the cache. Resolves once it
 * is compressed: work in a lane ends with it.
 */
export async function respond(response: ServerResponse, status: number, text = ''): Promise<void> {
  const pending = pendingResponses.get(response);
  const isStorable = pending?.isPublic || !String(response.getHeader('Cache-Control')).includes('no-store');
  const made =
    isStorable && status === 200 ? new CachedResponse(response, text, scopeOf(response).endpoint) : undefined;
  pending?.resolve(pending.isPublic ? made : undefined);
  const bytes = Buffer.from(text);
  if (made === undefined) send(response, status, ['Content-Length', String(bytes.length)], bytes);
  else await made.send(response, !pending?.isPublic);
}

/** The same for a JSON value. */
export function respondJson(response: ServerResponse, value: unknown, status = 200): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  return respond(response, status, JSON.stringify(value));
}

interface Stored {
  cached: CachedResponse;
  quarter: number | undefined;
}

/**
 * Stores public responses as bytes until the version of the reference data changes, or the quarter hour of their UTC offsets
 * ends. Requests for a response that is being made wait for it.
 */
export class ResponseCache {
  readonly #versionOf: () => unknown;
  readonly #responses = new LRUCache<string, Stored>({
    maxSize: memoryBounds.responses,
    sizeCalculation: ({ cached: { size } }, key) => size + 2 * key.length + responseOverhead,
  });
  readonly #pending = new Map<string, Pending>();
  #version: unknown;
  #hits = 0;
  #misses = 0;

  /** `versionOf` returns another value after each change of the data. */
  constructor(versionOf: () => unknown) {
    this.#versionOf = versionOf;
  }

  /** Sends the response that is stored under the key, or the one that `next` makes. */
  serve(key: string, response: ServerResponse, next: () => void): unknown {
    const version = this.#versionOf();
    if (version !== this.#version) this.#responses.clear();
    this.#version = version;
    const stored = this.#responses.get(key);
    if (stored !== undefined && (stored.quarter === undefined || stored.quarter === currentQuarter())) {
      return this.#send(stored.cached, response);
    }
    const pending = this.#pending.get(key);
    if (pending === undefined) return this.#make(key, response, next);
    // Waiting for another request's statements counts as time for the database.
    scopeOf(response).startDatabaseTime();
    return pending.promise.then((cached) => (cached === undefined ? next() : this.#send(cached, response)));
  }

  /** Public responses that came from the cache, and that did not; stored responses, and their size in bytes. */
  get statistics() {
    const { size, calculatedSize } = this.#responses;
    return { hits: this.#hits, misses: this.#misses, responses: size, bytes: calculatedSize };
  }

  #send(cached: CachedResponse, response: ServerResponse): void {
    this.#hits += 1;
    scopeOf(response).endpoint = cached.endpoint;
    void cached.send(response);
  }

  #make(key: string, response: ServerResponse, next: () => void): void {
    const version = this.#version;
    const pending: Pending = Promise.withResolvers();
    this.#pending.set(key, pending);
    pendingResponses.set(response, pending);
    response.once('close', () => pending.resolve(undefined));
    void pending.promise.then((cached) => {
      this.#pending.delete(key);
      if (cached === undefined) return;
      this.#misses += 1;
      // One that was started with an earlier version may lack later changes.
      if (version === this.#version) this.#responses.set(key, { cached, quarter: pending.quarter });
    });
    next();
  }
}

/**
 * Responds from the cache where it can; other requests go on to `next`. `targetOf` returns what the response to a read depends
 * on of its URL.
 */
export function serveCached(cache: ResponseCache, targetOf: (url: string) => string): Middleware {
  return (request, response, next) => {
    const { method, headers, url = '' } = request;
    const { accept, 'content-type': type } = headers;
    if ((method === 'GET' || method === 'HEAD') && !hasBody(request)) {
      if (!isGraphQL(request)) return cache.serve(keyOf(response, targetOf(url)), response, next);
      addHeader(response, 'Vary', 'Accept');
      return cache.serve(keyOf(response, `${method} ${url} ${accept} ${type}`), response, next);
    }
    if (method === 'POST' && isGraphQL(request) && headers['content-encoding'] === undefined) {
      return receivedBody(response).then((body) => {
        // Documents about reference data are short.
        if (body === undefined || body.length > maxBodyLength) return next();
        const text = `${url} ${accept} ${type} ${body.toString('latin1')}`;
        return cache.serve(keyOf(response, text), response, next);
      });
    }
    next();
  };
}

// An English key is the text as it came, whose hash the engine computes once.
function keyOf(response: ServerResponse, request: string): string {
  const { locale } = scopeOf(response);
  return locale === 'en' ? request : `${locale} ${request}`;
}
