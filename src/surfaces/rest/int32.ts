// GraphQL's Int has 32 bits, as the database's ids have; the integers of JSON and of query strings may be larger.
const max = 2 ** 31 - 1;

/** The id that stands for one that no record can have. */
export const nobody = 0;

/** An id as GraphQL takes it; one too large is nobody's. */
export function toId(integer: number): number {
  return integer === (integer | 0) ? integer : nobody;
}

/** A page as GraphQL takes it: one too large is past every end, and so is the largest. */
export function toPage(integer: number): number {
  return Math.min(integer, max);
}
