import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { executablePath, launch } from '../browser/browser.ts';
import { root } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, use, useFolder } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant({ products: 105 });

test.skipIf(executablePath === '')('an Apollo Client screen stays consistent with the service', async () => {
  const values = Array.from({ length: 130 }, (_, index) => ({ nameEn: `Tag ${index + 100}`, nameAr: null }));
  const vegan = { nameEn: 'Vegan', nameAr: 'نباتي' };
  await app.db
    .insertInto('productTags')
    .values([...values, vegan].map((names) => ({ ...names, companyId: tenant.companyId })))
    .execute();
  /** Sends an operation of somebody else. */
  const send = async (text: string) => (await app.client.graphql(text, {}, tenant)).body.data;
  const listed = async () => {
    const { productTags } = await send(
      '{ productTags(first: 100, orderBy: NAME_EN) { nodes { id name nameEn itemCount } } }',
    );
    // biome-ignore lint/suspicious/noExplicitAny: the data of a query
    return productTags.nodes.map(({ name, nameEn, itemCount }: any) => `${name ?? nameEn} (${itemCount})`);
  };

  const folder = await useFolder();
  await cp(join(root, 'examples/apollo-client'), folder, { recursive: true });
  await symlink(join(root, 'test/clients/node_modules'), join(folder, 'node_modules'));
  Object.assign(process.env, { GATEWAY_URL: app.url, GATEWAY_TOKEN: tenant.token });
  const { build, preview } = await import('vite');
  await build({ root: folder, logLevel: 'error' });
  const site = await preview({
    root: folder,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: await freePort() },
  });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    await page.goto(site.resolvedUrls?.local[0] ?? '');
    const rows = page.locator('main > button').filter({ hasText: '(' });
    const shown = () => rows.allTextContents();
    /** Reads both again and again, because a name shows before it is written. */
    const expectListed = () =>
      vi.waitFor(async () => expect(await shown()).toEqual(await listed()), { timeout: 10_000, interval: 100 });
    const alert = page.getByRole('alert');
    const rename = page.locator('section form');
    const save = async (name: string) => {
      await rename.getByRole('textbox').fill(name);
      await rename.getByRole('button').click();
    };

    /** The service answers the next operation with this field, and the screen does not learn of it. */
    const loseResponse = (field: string) =>
      page.route(
        (url) => url.pathname === '/graphql',
        async (route) => {
          if (!route.request().postData()?.includes(field)) return route.fallback();
          await route.fetch();
          await route.abort();
          await page.unrouteAll();
        },
      );

    // Pages, with a tag that is renamed between them, and a list with other arguments.
    await expectListed();
    const [first] = (await send('{ productTags(first: 1, orderBy: NAME_EN) { nodes { id } } }')).productTags.nodes;
    await send(`mutation { updateProductTag(id: ${first.id}, input: { nameEn: "Zucchini" }) { userErrors { code } } }`);
    await page.getByRole('button', { name: '…' }).click();
    await expect.poll(() => rows.count()).toBe(131);
    expect((await shown()).filter((text) => text.startsWith('Zucchini'))).toHaveLength(1);
    await page.getByRole('searchbox').fill('vegan');
    await expect.poll(shown).toEqual(['Vegan (0)']);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(100);

    // A new tag, and why one was rejected.
    await page.locator('form input').first().fill('x');
    await page.getByRole('button', { name: '+' }).click();
    await page.getByText('English name must have 3 to 50 characters.').waitFor();
    await page.locator('form input').first().fill('Apples');
    await page.getByRole('button', { name: '+' }).click();
    await rows.getByText('Apples (0)').waitFor();
    await expectListed();

    // A lost response: the same tag, sent again, is one tag.
    await loseResponse('createProductTag');
    await page.locator('form input').first().fill('Cherries');
    await page.getByRole('button', { name: '+' }).click();
    await alert.waitFor();
    await page.getByRole('button', { name: '+' }).click();
    await expect.poll(() => page.locator('form input').first().inputValue()).toBe('');
    const cherries = () => shown().then((texts) => texts.filter((text) => text.startsWith('Cherries')));
    await expect.poll(cherries).toHaveLength(1);
    await expectListed();
    // Sent once more after the response, it is another tag.
    await page.locator('form input').first().fill('Cherries');
    await page.getByRole('button', { name: '+' }).click();
    await expect.poll(cherries).toHaveLength(2);

    // Products in pages, and a changed item set.
    await page.getByRole('button', { name: 'Apples' }).click();
    const boxes = page.getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(100);
    await page.locator('section').getByRole('button', { name: '…' }).click();
    await expect.poll(() => boxes.count()).toBe(105);
    await boxes.first().click();
    await rows.getByText('Apples (1)').waitFor();
    await expect.poll(() => boxes.first().isEnabled()).toBe(true);
    expect(await boxes.first().isChecked()).toBe(true);

    // The name shows before the response, and goes back if it was rejected.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('updateProductTag'))
        await new Promise((done) => setTimeout(done, 2_000));
      await route.continue();
    });
    await save('A');
    await rows.getByText('A (1)', { exact: true }).waitFor({ timeout: 1_500 });
    await alert.getByText('English name must have').waitFor();
    await rows.getByText('Apples (1)').waitFor();
    await page.unroute('**/graphql');
    await save('Bananas');
    await rows.getByText('Bananas (1)').waitFor();
    await expectListed();

    // Items that somebody else changed are no reason to ask, nor is a name that the service trimmed.
    const [{ id }] = (await send('{ productTags(search: "Bananas") { nodes { id } } }')).productTags.nodes;
    const change = (input: string) =>
      send(`mutation { updateProductTag(id: ${id}, input: ${input}) { userErrors { code } } }`);
    await change(`{ itemIds: [${tenant.products.slice(0, 2)}] }`);
    await save('  Herbs ');
    await rows.getByText('Herbs (2)').waitFor();
    await boxes.nth(2).click();
    await rows.getByText('Herbs (3)').waitFor();
    await save('Mint');
    await rows.getByText('Mint (3)').waitFor();
    // A lost response: the second try finds that the first one was done.
    await loseResponse('updateProductTag');
    await save('Basil');
    await alert.waitFor();
    await save('Basil');
    await expect.poll(() => rename.getByRole('button').isEnabled()).toBe(true);
    expect(await alert.count()).toBe(0);
    await expectListed();
    // A name that somebody else gave: the reader sees it, and decides.
    await change('{ nameEn: "Greens" }');
    await save('Leaves');
    await alert.getByText('Greens').waitFor();
    await rows.getByText('Greens (3)').waitFor();
    await save('Leaves');
    await rows.getByText('Leaves (3)').waitFor();
    // Somebody else changed the name, and a refetch has read it: the form still knows which one it began with.
    await change('{ nameEn: "Salads" }');
    await boxes.nth(2).click();
    await rows.getByText('Salads (2)').waitFor();
    await save('Roots');
    await alert.getByText('Salads').waitFor();
    await expectListed();
    // Somebody else deleted the tag.
    await send(`mutation { deleteProductTag(id: ${id}) { userErrors { code } } }`);
    await save('Roots');
    await alert.getByText('The tag was deleted.').waitFor();
    await expectListed();

    // In Arabic.
    await page.getByLabel('Language').selectOption('ar');
    await page.getByRole('searchbox').fill('نباتي');
    await rows.getByText('نباتي (0)').waitFor();
    expect(await page.locator('main').getAttribute('dir')).toBe('rtl');
    await page.locator('form input').first().fill('x');
    await page.getByRole('button', { name: '+' }).click();
    await page.getByText('يجب أن يتراوح طول').waitFor();
    await page.getByRole('button', { name: 'نباتي' }).click();
    await page.getByRole('button', { name: '×' }).click();
    await expect.poll(() => rows.getByText('نباتي').count()).toBe(0);
    await page.getByLabel('Language').selectOption('en');
    await expectListed();

    // While the service is unavailable, the screen keeps its data and shows the error.
    await page.route('**/graphql', (route) => route.abort());
    await page.locator('form input').first().fill('Later');
    await page.getByRole('button', { name: '+' }).click();
    await alert.waitFor();
    expect(await page.locator('form input').first().inputValue()).toBe('Later');
    // Of the favicon, and of aborted requests.
    expect(problems.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  } finally {
    await Promise.all([browser.close(), site.close()]);
    for (const name of ['GATEWAY_URL', 'GATEWAY_TOKEN']) delete process.env[name];
  }
});
