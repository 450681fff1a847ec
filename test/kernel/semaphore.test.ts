import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Semaphore } from '../../src/kernel/semaphore.ts';

type Key = 'one' | 'other';

/** Callers of a semaphore, in the order in which they proceed. */
function observe(semaphore: Semaphore<Key>) {
  const proceeded: string[] = [];
  const acquire = async (name: string, key: Key = 'one', ms = 60_000) => {
    const late = () => new Error(`${name} is late`);
    const release = await semaphore.acquire(key, performance.now() + ms, late);
    proceeded.push(name);
    return release;
  };
  return { proceeded, acquire };
}

test('limits the concurrency of a key, and queues callers in order of arrival', async () => {
  const { proceeded, acquire } = observe(new Semaphore<Key>({ perKey: 2 }));
  const releases = [await acquire('a'), await acquire('b')];
  const waiting = ['c', 'd', 'e', 'f'].map((name) => acquire(name));
  await acquire('g', 'other');
  expect(proceeded).toEqual(['a', 'b', 'g']);
  for (const next of waiting) {
    const count = proceeded.length;
    releases.shift()?.();
    releases.push(await next);
    expect(proceeded).toHaveLength(count + 1);
  }
  expect(proceeded.join('')).toBe('abgcdef');
  for (const release of releases) release();
  await Promise.all([acquire('h'), acquire('i')]);
});

test('keys that share a total limit alternate', async () => {
  const semaphore = new Semaphore<Key>({ perKey: 2, total: 2 });
  const { proceeded, acquire } = observe(semaphore);
  const releases = [await acquire('a1'), await acquire('a2')];
  const waiting = [
    ...['a3', 'a4', 'a5'].map((name) => acquire(name)),
    ...['b1', 'b2', 'b3'].map((name) => acquire(name, 'other')),
  ].map((next) => next.then((release) => releases.push(release)));
  for (let released = 0; released < 8; released += 1) {
    releases.shift()?.();
    await expect.poll(() => releases.length + released).toBe(Math.min(released + 2, 7));
  }
  await Promise.all(waiting);
  expect(proceeded).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4', 'b3', 'a5']);
  (await acquire('a6'))();
});

test('a key acquires its guaranteed number even if others use up the total', async () => {
  const { proceeded, acquire } = observe(new Semaphore<Key>({ perKey: 3, total: 2, guaranteed: 1 }));
  const [first] = [await acquire('a1'), await acquire('a2')];
  const other = await acquire('b1', 'other');
  const waiting = [acquire('a3'), acquire('b2', 'other')];
  first();
  await setImmediate();
  expect(proceeded).toEqual(['a1', 'a2', 'b1']);
  other();
  await Promise.all(waiting);
  expect(proceeded).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('rejects callers over the queue limit at once, and others at their deadline', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { proceeded, acquire } = observe(new Semaphore<Key>({ perKey: 1, maxWaiting: 3 }));
  const release = await acquire('a');
  const waiting = [acquire('b', 'one', 2_000), acquire('c', 'one', 1_000), acquire('d', 'one', 3_000)];
  const outcomes = Promise.allSettled(waiting);
  await expect(acquire('e')).rejects.toThrow('e is late');
  await acquire('f', 'other');
  await vi.advanceTimersByTimeAsync(1_500);
  await expect(waiting[1]).rejects.toThrow('c is late');
  // Its place is free for another.
  const last = acquire('g');
  release();
  (await waiting[0])?.();
  (await waiting[2])?.();
  (await last)();
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(proceeded.join('')).toBe('afbdg');
});
