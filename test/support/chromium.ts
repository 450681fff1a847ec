import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the machine has its Chromium; null where it has none. */
    chromium: string | null;
  }
}

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Finds the Chromium for the tests in a browser, which are skipped without one. */
export default function setup(project: TestProject): void {
  const { CHROMIUM_PATH } = process.env;
  const chromium = CHROMIUM_PATH || places.find((place) => existsSync(place)) || null;
  if (chromium === null) {
    console.warn(
      'The tests in a browser are skipped: no Chromium was found. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
    );
  }
  project.provide('chromium', chromium);
}
