/** Drawings of the site in a frame of another site: copied by a member, seen by a visitor without an account. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { open } from './support/page-state.ts';
import { openSite } from './support/open-site.ts';
import { tokenFor } from './support/sign-in.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000093');

/** Another site, whose page contains the copied code. */
let code = '';
const elsewhere = createServer((_request, answer) =>
  answer
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .end(`<!doctype html><h1>Group page</h1>${code}`),
);
await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
afterAll(() => elsewhere.close());
const address = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;

const permissions = ['clipboard-read', 'clipboard-write'];

async function copiedCode(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).first().click();
  await page.getByRole('menuitem', { name: /iframe/ }).click();
  await page.getByText('Copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

describe('a drawing in a frame of another site', () => {
  it.each([
    ['a crystal', '/matdatades/142', '[role=img][data-state=ready]', 'P42/mnm'],
    ['a phase diagram', '/phase?q=Ti+O', CHART, 'Ti–O'],
  ])('shows %s with its source and a link to the full page', async (_what, path, drawing, title) => {
    const member = await newVisitor(browser, { language: 'en', token, permissions });
    await open(member.page, site.url + path);
    code = await copiedCode(member.page);
    expect(code).toMatch(/^<iframe src="[^"]+\/embed\/[^"]+" title="[^"]+ · Unitcell"/);

    const reader = await newVisitor(browser, { language: 'en' });
    await reader.page.goto(address);
    const frame = reader.page.frameLocator('iframe');
    await frame.locator(drawing).first().waitFor();
    await expect.poll(() => frame.getByRole('heading', { level: 1 }).innerText()).toContain(title);
    const link = frame.getByRole('link', { name: 'Open in Unitcell' });
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(reader.complaints).toEqual([]);
  });

  it('shows an error and no drawing if the key is invalid', async () => {
    const { page } = await newVisitor(browser, { language: 'en' });
    await page.goto(`${site.url}/embed/material/142?key=guessed&lang=en`);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
  });
});
