const KiB = 1_024;
const MiB = 1_024 * KiB;

/** Even under attack. Container limits must not be lower. */
export const processMemory = 640 * MiB;

/** The `maxSize` of each LRUCache, with keys and overhead. */
export const memoryBounds = {
  responses: 32 * MiB,
  documents: 16 * MiB,
  compiledDocuments: 16 * MiB,
  persistedQueries: 8 * MiB,
  callers: 2 * MiB,
  addresses: 8 * MiB,
  rateLimit: 8 * MiB,
  locales: 256 * KiB,
  encodings: 256 * KiB,
};

/** Besides the characters of key and value. */
export const entryOverhead = 256;
