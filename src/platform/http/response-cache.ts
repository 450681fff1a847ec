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

/** Responses are made anew every minute of the clock, in ms, as UTC offsets change with it. */
const minute = 60_000;

/** A response that is being made: resolves to it, or to undefined once it is known not to be public. */
interface Pending extends PromiseWithResolvers<CachedResponse | undefined> {
  /** As declared; never true again once it was false. */
  isPublic?: boolean;
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

/** Sends the whole response of a surface, whose other headers are set. A public one also goes into the cache. */
export function respond(response: ServerResponse, status: number, text = ''): void {
  const pending = pendingResponses.get(response);
  const isStorable = pending?.isPublic || !String(response.getHeader('Cache-Control')).includes('no-store');
  const made =
    isStorable && status === 200 ? new CachedResponse(response, text, scopeOf(response).endpoint) : undefined;
  pending?.resolve(pending.isPublic ? made : undefined);
  const bytes = Buffer.from(text);
  if (made === undefined) send(response, status, ['Content-Length', String(bytes.length)], bytes);
  else made.send(response, !pending?.isPublic);
}

/** The same for a JSON value. */
export function respondJson(response: ServerResponse, value: unknown, status = 200): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  respond(response, status, JSON.stringify(value));
}

/**
 * Stores public responses as bytes until the version of the reference data changes or the minute ends. Requests for a
 * response that is being made wait for it.
 */
export class ResponseCache {
  readonly #versionOf: () => unknown;
  readonly #responses = new LRUCache<string, { cached: CachedResponse; generation: number }>({
    maxSize: memoryBounds.responses,
    sizeCalculation: ({ cached: { size } }, key) => size + 2 * key.length + responseOverhead,
  });
  readonly #pending = new Map<string, Pending>();
  #version: unknown;
  #minute = 0;
  /** Counts the changes of both. */
  #generation = 0;
  #hits = 0;
  #misses = 0;

  /** `versionOf` returns another value after each change of the data. */
  constructor(versionOf: () => unknown) {
    this.#versionOf = versionOf;
  }

  /** Sends the response that is stored under the key, or the one that `next` makes. */
  serve(key: string, response: ServerResponse, next: () => void): unknown {
    this.#updateGeneration();
    const stored = this.#responses.get(key);
    if (stored?.generation === this.#generation) return this.#send(stored.cached, response);
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
    cached.send(response);
  }

  #updateGeneration(): void {
    const version = this.#versionOf();
    const thisMinute = Math.floor(Date.now() / minute);
    if (version === this.#version && thisMinute === this.#minute) return;
    this.#generation += 1;
    this.#version = version;
    this.#minute = thisMinute;
  }

  #make(key: string, response: ServerResponse, next: () => void): void {
    const generation = this.#generation;
    const pending: Pending = Promise.withResolvers();
    this.#pending.set(key, pending);
    pendingResponses.set(response, pending);
    response.once('close', () => pending.resolve(undefined));
    void pending.promise.then((cached) => {
      this.#pending.delete(key);
      if (cached === undefined) return;
      this.#misses += 1;
      // With the generation in which it was started: it may lack later changes.
      this.#responses.set(key, { cached, generation });
    });
    next();
  }
}

/** Responds from the cache where it can; other requests go on to `next`. */
export function serveCached(cache: ResponseCache): Middleware {
  return (request, response, next) => {
    const { method, headers, url = '' } = request;
    const { accept, 'content-type': type } = headers;
    if ((method === 'GET' || method === 'HEAD') && !hasBody(request)) {
      if (!isGraphQL(request)) return cache.serve(keyOf(response, url), response, next);
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
