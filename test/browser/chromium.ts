import type { TestProject } from 'vitest/node';
import { findProgram } from '../support/programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the installed Chromium; null if there is none. */
    chromium: string | null;
  }
}

/** Finds Chromium for the browser tests, which are skipped without it. */
export default function setup(project: TestProject): void {
  const chromium = process.env.CHROMIUM_PATH || findProgram('chromium') || findProgram('google-chrome') || null;
  if (chromium === null) {
    console.warn(
      'The tests in a browser are skipped: no Chromium was found. ' +
        'Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
    );
  }
  project.provide('chromium', chromium);
}
