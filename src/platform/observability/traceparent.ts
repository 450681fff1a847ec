/** Where a request belongs in a trace that its caller began, by its `traceparent` header (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  flags: number;
}

const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` header; undefined for one that is malformed, which counts as none. */
export function parseTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(header) ?? [];
  // Later versions may say more; this one does not.
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
