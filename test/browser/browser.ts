import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { afterEach, beforeAll, describe, onTestFinished } from 'vitest';
import { findProgram } from '../support/programs.ts';
import { putDemoToken } from '../support/put-demo-token.ts';
import { startApp, type TestApp } from '../support/test-app.ts';

/** A running service, and a browser that can reach only this machine. */
export interface Site {
  app: TestApp;
  browser: Browser;
  open: ReturnType<typeof openPages>;
  /** The demo partner's token, and its file: pages fill it in while the file exists, at most until the test ends. */
  token: string;
  tokenFile: string;
  offerToken(): Promise<void>;
}

// The shell is Chromium without its window, at half the time.
const browsers = ['chromium-headless-shell', 'chromium', 'google-chrome'];
export const executablePath = process.env.CHROMIUM_PATH || (browsers.map(findProgram).find(Boolean) ?? '');
if (executablePath === '') {
  console.warn('The tests in a browser are skipped: install Debian’s chromium-headless-shell or chromium.');
}

/** The locale of a browser, the language that it gets, and its direction. */
export const languages = [
  ['en-GB', 'en', 'ltr'],
  ['ar-SA', 'ar', 'rtl'],
] as const;

/** Window sizes: screens, and a wide one at 200 %. */
export const windows = [
  [1440, 900],
  [1280, 800],
  [768, 1024],
  [640, 450],
  [390, 844],
  [360, 640],
].map(([width = 0, height = 0]) => ({ width, height }));

/** Window sizes with languages: a wide page in one, a narrow one in the other. */
export const eachWindow = [
  { name: 'wide', viewport: { width: 1280, height: 720 }, locale: 'en-GB', lang: 'en', dir: 'ltr' },
  { name: 'narrow', viewport: { width: 390, height: 844 }, locale: 'ar-SA', lang: 'ar', dir: 'rtl' },
];

let started: Promise<Site> | undefined;

/** Tests in a real browser: CHROMIUM_PATH, or an installed one. Skipped without it. A worker's files share it. */
export function describeInBrowser(name: string, tests: (site: Site) => void): void {
  describe.skipIf(executablePath === '')(name, () => {
    const site = {} as Site;
    beforeAll(async () => {
      started ??= startSite();
      Object.assign(site, await started);
    });
    afterEach(() => rm(site.tokenFile, { force: true }));
    tests(site);
  });
}

async function startSite(): Promise<Site> {
  const [app, browser] = await Promise.all([startApp(), launch()]);
  const token = await putDemoToken(app);
  const tokenFile = join(app.dataDir, 'demo-token');
  await rm(tokenFile);
  const offerToken = () => writeFile(tokenFile, token);
  return { app, browser, open: openPages(browser, app.url), token, tokenFile, offerToken };
}

export const launch = () =>
  chromium.launch({
    executablePath,
    // Chromium's sandbox does not work for root, as in most CI containers.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      // Chromium would emulate a graphics card in a process of its own.
      '--disable-gpu',
      '--disable-component-update',
      // No internet, and a host name that browsers do not treat as local.
      '--host-resolver-rules=MAP gateway.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });

export const getBox = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** Presses Tab until the focus is at an element. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; !(await page.evaluate(`document.activeElement.matches('${selector}')`)); presses++) {
    if (presses === 40) throw new Error(`Tab does not reach ${selector}.`);
    await page.keyboard.press('Tab');
  }
}

interface OpenOptions {
  /** The browser's, `en-GB` or `ar-SA`. */
  locale?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Serves requests to other hosts, which are problems otherwise. */
  standIn?: (route: Route) => Promise<void>;
}

/** Opens a path of the service in a new window without stored data. Windows share a cache: GraphiQL has megabytes. */
function openPages(browser: Browser, url: string) {
  const contexts = new Map<string, Promise<BrowserContext>>();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const isForeign = ({ protocol, origin }: URL) => /^(?:https?|wss?):$/.test(protocol) && origin !== url;

  return async (path: string, { locale = 'en-GB', viewport, colorScheme = 'light', standIn }: OpenOptions = {}) => {
    const made = contexts.get(locale) ?? browser.newContext({ locale, permissions });
    contexts.set(locale, made);
    const context = await made;
    const page = await context.newPage();
    onTestFinished(() => page.close());
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(`refused: ${message.text()}`);
    });
    // A route would switch the cache off.
    if (standIn) await page.route(isForeign, standIn);
    else page.on('request', (sent) => isForeign(new URL(sent.url())) && problems.push(`foreign: ${sent.url()}`));
    const devTools = await context.newCDPSession(page);
    await devTools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'cookies,local_storage' });
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
    await page.goto(url + path);
    return {
      page,
      /** Errors: violations of the content security policy, exceptions, and requests to other hosts. */
      problems,
      /** Pixels by which the page exceeds its window and needs scrolling. */
      overflow: (): Promise<{ across: number; down: number }> => page.evaluate(measureOverflow),
    };
  };
}

// Right-to-left pages cannot scroll to overflowing elements, so this measures elements that nothing else scrolls or clips.
const measureOverflow = `(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  const isFree = ({ parentElement: around }) =>
    around === document.body || (getComputedStyle(around).overflowX === 'visible' && isFree(around));
  const beyond = [...document.body.querySelectorAll('*')].map((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const pixels = Math.max(right - clientWidth, -left);
    return width > 1 && pixels >= 1 && isFree(element) ? Math.round(pixels) : 0;
  });
  return { across: Math.max(scrollWidth - clientWidth, ...beyond), down: scrollHeight - clientHeight };
})()`;
