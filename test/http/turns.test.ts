import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Turns } from '../../src/platform/admission/turns.ts';

const late = () => new Error('late');
const soon = () => performance.now() + 60_000;

/** A clock of the test's own: on a busy machine, work takes longer. */
let now = 0;
const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
afterAll(() => clock.mockRestore());

/** Occupies the event loop. */
function work(ms: number): void {
  now += ms;
}

test.each([
  [1, 'ababa'],
  [4, 'aba'],
])('work of %d ms of all callers shares one iteration of the event loop, and callers take turns', async (ms, first) => {
  const turns = new Turns<string>();
  const order: string[] = [];
  const callers = ['a', 'a', 'a', 'b', 'b'].map(async (key) => {
    await turns.wait(key, soon(), late);
    order.push(key);
    work(ms);
  });
  await Promise.race([Promise.all(callers), setImmediate()]);
  expect(order.join('')).toBe(first);
  await Promise.all(callers);
});

test('work of 10 ms is the last of its iteration of the event loop', async () => {
  const turns = new Turns<string>();
  const order: string[] = [];
  const callers = ['a', 'b', 'a', 'b'].map(async (key) => {
    await turns.wait(key, soon(), late);
    order.push(key);
    work(10);
  });
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; await setImmediate()) order.push('.');
  })();
  await Promise.all(callers);
  isOver = true;
  await counting;
  expect(order.join('')).toMatch(/^\.*a\.+b\.+a\.+b\.*$/);
});

test('after long work, a caller alone waits for the next iteration of the event loop only', async () => {
  const turns = new Turns<string>();
  await turns.wait('a', soon(), late);
  work(30);
  const next = turns.wait('a', soon(), late).then(() => 'work');
  const turnsLater = setImmediate().then(() => setImmediate('turns later'));
  await expect(Promise.race([next, turnsLater])).resolves.toBe('work');
});

test('after long work beside another caller, a caller pauses for as long, and holds nobody else back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new Turns<string>();
  await turns.wait('b', soon(), late);
  await turns.wait('a', soon(), late);
  work(30);
  let isOver = false;
  const next = turns.wait('a', soon(), late).then(() => {
    isOver = true;
  });
  for (const _time of [1, 2, 3]) await turns.wait('b', soon(), late);
  vi.advanceTimersByTime(29);
  await setImmediate();
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(1);
  await next;
});

test.each([
  [1, 0],
  [2, 0],
  [3, 3],
  [5, 5],
  [300, 100],
])('after work of %d ms beside another caller, a caller pauses for %d ms', async (ms, pause) => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timer.mockRestore());
  const turns = new Turns<string>();
  await turns.wait('b', soon(), late);
  await setImmediate();
  await turns.wait('a', soon(), late);
  work(ms);
  await setImmediate();
  expect(timer.mock.calls.map(([, each]) => each)).toEqual(pause === 0 ? [] : [pause]);
});
