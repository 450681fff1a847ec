import type { TestProject } from 'vitest/node';
import { findProgram } from '../support/programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the machine has its Chromium; null where it has none. */
    chromium: string | null;
  }
}

/** Finds the Chromium for the tests in a browser, which are skipped without one. */
export default function setup(project: TestProject): void {
  const chromium = process.env.CHROMIUM_PATH || findProgram('chromium') || findProgram('google-chrome') || null;
  if (chromium === null) {
    console.warn(
      'The tests in a browser are skipped: no Chromium was found. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
    );
  }
  project.provide('chromium', chromium);
}
