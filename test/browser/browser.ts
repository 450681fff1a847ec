import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { findProgram } from '../support/programs.ts';
import { startApp, type TestApp } from '../support/test-app.ts';

/** A running service, and a browser; pages that `open` opens can reach only the service. */
export interface Site {
  app: TestApp;
  browser: Browser;
  open: ReturnType<typeof openPages>;
}

const executablePath = process.env.CHROMIUM_PATH || findProgram('chromium') || findProgram('google-chrome') || '';
if (executablePath === '') {
  console.warn('The tests in a browser are skipped: install Chromium (Debian: apt-get install chromium).');
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

/** Tests one service in a real browser: CHROMIUM_PATH, or an installed one. Skipped without it. */
export function describeInBrowser(name: string, tests: (site: Site) => void): void {
  describe.skipIf(executablePath === '')(name, () => {
    const site = {} as Site;
    const cleanup = new AsyncDisposableStack();
    beforeAll(async () => {
      site.app = cleanup.use(await startApp());
      site.browser = cleanup.use(await launch());
      site.open = openPages(site.browser, site.app.url);
    });
    afterAll(() => cleanup.disposeAsync());
    tests(site);
  });
}

const launch = () =>
  chromium.launch({
    executablePath,
    // Chromium's sandbox does not work for root, as in most CI containers.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      // Chromium would emulate a graphics card in a process of its own.
      '--disable-gpu',
      '--disable-component-update',
      // A host name that browsers do not treat as local.
      '--host-resolver-rules=MAP gateway.test 127.0.0.1',
    ],
  });

export const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

type OpenOptions = BrowserContextOptions & {
  /** Serves requests to other hosts, which are blocked otherwise. */
  standIn?: (route: Route) => Promise<void>;
};

/** Opens a path of the service in a new window; `locale` is the browser's, `en-GB` or `ar-SA`. */
const openPages =
  (browser: Browser, url: string) =>
  async (path: string, { standIn, ...options }: OpenOptions = {}) => {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    onTestFinished(() => context.close());
    // Long, because GraphiQL loads megabytes.
    context.setDefaultTimeout(30_000);
    const problems: string[] = [];
    const block = async (route: Route) => {
      problems.push(`blocked: ${route.request().url()}`);
      await route.abort('internetdisconnected');
    };
    await context.route((asked) => /^(?:https?|wss?):$/.test(asked.protocol) && asked.origin !== url, standIn ?? block);
    await context.exposeBinding('reportProblem', (_source, problem: string) => problems.push(problem));
    await context.addInitScript({ content: reportViolations });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
    await page.goto(url + path);
    return {
      page,
      /** Errors: violations of the content security policy, exceptions, and requests to blocked hosts. */
      problems,
      /** Pixels by which the page exceeds its window and needs scrolling. */
      overflow: (): Promise<{ across: number; down: number }> => page.evaluate(measureOverflow),
    };
  };

// Right-to-left pages cannot scroll to what is too wide, so this measures the elements themselves, except those that
// another element scrolls or clips, and single pixels for screen readers.
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

// Runs in every page and frame before the page's own scripts.
const reportViolations = `
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
  reportProblem(\`refused: \${violatedDirective} \${blockedURI} by \${sourceFile}:\${lineNumber}\`);
});
`;
