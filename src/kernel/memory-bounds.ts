const KiB = 1_024;
const MiB = 1_024 * KiB;

/** Maximum memory of a process in bytes, even under attack. Container limits must not be lower. */
export const processMemory = 640 * MiB;

/**
 * Maximum sizes of the caches and buffers of a process, in bytes, including keys and overhead. A new cache gets a line
 * here and passes it to its LRUCache as `maxSize`.
 */
export const memoryBounds = {
  /** Public responses and their compressed encodings. */
  responses: 32 * MiB,
  /** GraphQL documents: parsed and valid, and compiled. */
  documents: 16 * MiB,
  compiledDocuments: 16 * MiB,
  persistedQueries: 8 * MiB,
  /** Lookups of callers, by the hash of their token. */
  callers: 2 * MiB,
  /** Subscribers by client address. */
  addresses: 8 * MiB,
  /** Counts of each of the four rate limits, by caller. */
  rateLimit: 8 * MiB,
  /** Negotiated locales and encodings, by header value. */
  locales: 256 * KiB,
  encodings: 256 * KiB,
};

/** Bytes of an LRUCache entry besides the characters of its key and value (measured, rounded up). */
export const entryOverhead = 256;
