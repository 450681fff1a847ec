import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Turns } from '../../src/platform/admission/turns.ts';

const late = () => new Error('late');
const soon = () => performance.now() + 60_000;

/** Occupies the event loop for a CPU time in ms. */
function work(ms: number): void {
  const start = process.threadCpuUsage();
  let spent = 0;
  while (spent < 1_000 * ms) {
    const { user, system } = process.threadCpuUsage(start);
    spent = user + system;
  }
}

test('short work of all callers shares one iteration of the event loop, and callers take turns', async () => {
  const round = async () => {
    const turns = new Turns<string>();
    const order: string[] = [];
    const callers = ['a', 'a', 'a', 'b', 'b'].map(async (key) => {
      await turns.wait(key, soon(), late);
      order.push(key);
    });
    void setImmediate().then(() => order.push('next turn'));
    await Promise.all(callers);
    return order.join('');
  };
  // The first rounds compile the code, which takes some ms.
  for (const _time of [1, 2, 3]) await round();
  expect(await round()).toBe('ababa');
});

test('work of 10 ms is the last of its iteration of the event loop', async () => {
  const turns = new Turns<string>();
  const order: string[] = [];
  const callers = ['a', 'b', 'a', 'b'].map(async (key) => {
    await turns.wait(key, soon(), late);
    order.push(key);
    work(12);
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
  vi.advanceTimersByTime(71);
  await next;
});
