/** The middle of some numbers; the mean of the two in the middle when they are even in number. */
export function median(values: readonly number[]): number {
  return (percentile(values, 50) + percentile(values, 50, Math.floor)) / 2;
}

/** The smallest value that so many percent of the values do not exceed. */
export function percentile(values: readonly number[], percent: number, round = Math.ceil): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = round((percent / 100) * (sorted.length - 1));
  return sorted[rank] as number;
}

export function min(values: readonly number[]): number {
  return percentile(values, 0);
}

export function max(values: readonly number[]): number {
  return percentile(values, 100);
}
