/** Whether the database gave a transaction up for the sake of another (serialization failure, deadlock). */
export function isGivenUp(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '40001' || code === '40P01';
}
