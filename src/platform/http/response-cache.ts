import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { bindToScope, currentDeadline, currentLocale, noteEndpoint } from '../../kernel/request/scope.ts';
import { hasBody, smallBody } from './body.ts';
import { addETag, CachedResponse, isFresh } from './cached-response.ts';
import type { Middleware } from './middleware.ts';
import { addHeader, send } from './response.ts';

/** What a cached response takes beside its key and its bytes, in bytes: headers, buffers and objects (measured, rounded up). */
const responseOverhead = 2_048;

/** Responses are made anew every minute of the clock, in ms, as UTC offsets change with it. */
const minute = 60_000;

/** A response that is being made. */
interface Pending {
  /** As declared; never true again once it was false. */
  isPublic: boolean | undefined;
  /** Resolves to the response once it is made; to undefined once it is known not to be public. */
  made: Promise<CachedResponse | undefined>;
  /** Whether it replaces a stored response that is outdated. */
  isRefresh: boolean;
  settle(made: CachedResponse | undefined): void;
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
  if (!isPublic) pending.settle(undefined);
}

/** Whether a response replaces an outdated one in the cache. */
export function isRefresh(response: ServerResponse): boolean {
  return pendingResponses.get(response)?.isRefresh === true;
}

/** Sends the whole response of a surface, whose other headers are set. A public one also goes into the cache. */
export function respond(response: ServerResponse, status: number, text = ''): void {
  const pending = pendingResponses.get(response);
  if (pending?.isPublic && status === 200) {
    const made = new CachedResponse(response, text);
    pending.settle(made);
    made.send(response);
    return;
  }
  pending?.settle(undefined);
  const bytes = Buffer.from(text);
  const isStorable = status === 200 && !String(response.getHeader('Cache-Control')).includes('no-store');
  if (isStorable && isFresh(response.req, addETag(response, bytes))) send(response, 304, []);
  else send(response, status, ['Content-Length', String(bytes.length)], bytes);
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
  serve(key: string, response: ServerResponse, next: () => void): void {
    this.#updateGeneration();
    const stored = this.#responses.get(key);
    if (stored?.generation === this.#generation) {
      this.#send(stored.cached, response);
      return;
    }
    const pending = this.#pending.get(key);
    if (pending !== undefined) void this.#await(pending, response, next);
    else this.#make(key, response, next, stored !== undefined);
  }

  /** Public responses that came from the cache, and that did not; stored responses, and their size in bytes. */
  get statistics() {
    const { size, calculatedSize } = this.#responses;
    return { hits: this.#hits, misses: this.#misses, responses: size, bytes: calculatedSize };
  }

  #send(cached: CachedResponse, response: ServerResponse): void {
    this.#hits += 1;
    noteEndpoint(cached.endpoint);
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

  #make(key: string, response: ServerResponse, next: () => void, isRefresh: boolean): void {
    const generation = this.#generation;
    const { promise: made, resolve: settle } = Promise.withResolvers<CachedResponse | undefined>();
    const pending: Pending = { isPublic: undefined, made, isRefresh, settle };
    this.#pending.set(key, pending);
    pendingResponses.set(response, pending);
    response.once('close', () => settle(undefined));
    void made.then((cached) => {
      this.#pending.delete(key);
      if (cached === undefined) return;
      this.#misses += 1;
      // With the generation in which it was started: it may lack later changes.
      this.#responses.set(key, { cached, generation });
    });
    next();
  }

  async #await({ made }: Pending, response: ServerResponse, next: () => void): Promise<void> {
    // Waiting for another request's statements counts as time for the database.
    currentDeadline();
    const cached = await made;
    if (cached === undefined) next();
    else this.#send(cached, response);
  }
}

/** Responds from the cache where it can; other requests go on to `next`. */
export function serveCached(cache: ResponseCache, isGraphQL: (request: IncomingMessage) => boolean): Middleware {
  return (request, response, next) => {
    const { method, headers, url = '' } = request;
    const isGet = (method === 'GET' || method === 'HEAD') && !hasBody(request);
    if (!isGraphQL(request)) {
      if (isGet) cache.serve(keyOf(url), response, next);
      else next();
    } else if (isGet && method === 'GET') {
      addHeader(response, 'Vary', 'Accept');
      cache.serve(keyOf(`GET ${url} ${headers.accept} ${headers['content-type']}`), response, next);
    } else if (method === 'POST' && headers['content-encoding'] === undefined) {
      peekBody(request, (body) => {
        if (body === undefined) return next();
        const { accept, 'content-type': type } = headers;
        cache.serve(keyOf(`${url} ${accept} ${type} ${body.toString('latin1')}`), response, next);
      });
    } else {
      next();
    }
  };
}

// An English key is the text as it came, whose hash the engine computes once.
function keyOf(request: string): string {
  const locale = currentLocale();
  return locale === 'en' ? request : `${locale} ${request}`;
}

/**
 * Calls back with the body of a request, and leaves it there for the parser; with undefined if its length is unknown or over
 * the limit. A client that closes the connection before its body is complete gets no call.
 */
function peekBody(request: IncomingMessage, callback: (body: Buffer | undefined) => void): void {
  const length = Number(request.headers['content-length']);
  // Documents about reference data are short.
  if (!(length > 0 && length <= smallBody)) {
    callback(undefined);
    return;
  }
  const look = () => {
    if (request.readableLength < length) {
      request.once('readable', bindToScope(look));
      return;
    }
    const body: Buffer = request.read();
    request.unshift(body);
    callback(body);
  };
  look();
}
