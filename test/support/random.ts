/** The seed of this run: `SEED` repeats the choices of another. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** Prints the seed; returns a function like `Math.random()` (mulberry32), with a stream of its own for each number. */
export function createRandom(stream = 0): () => number {
  console.log(`SEED=${seed}`);
  let state = seed + stream;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
