import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Ends a run with the number of passed tests per suite, and names the suites that did not run. */
export default class CountTests implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const { project, children } of modules) {
      counts.set(project.name, (counts.get(project.name) ?? 0) + [...children.allTests('passed')].length);
    }
    const suites = ['pglite', 'postgres', 'deployment', 'pgbouncer', 'browser', 'faults', 'cluster'];
    const others = suites.filter((name) => !counts.has(name));
    const passed = [...counts].map(([name, count]) => `${count} on ${name}`).join(', ');
    this.#vitest?.logger.log(` Passed: ${passed}.`);
    if (others.length > 0) this.#vitest?.logger.log(` npm run test:all also runs ${others.join(', ')}.`);
  }
}
