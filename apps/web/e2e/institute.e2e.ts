/** Sign-in by a real OpenID Connect provider, in a browser: from the popup to the catalogue. */
import { mkdirSync } from 'node:fs';
import { startOidcServer } from '@unitcell/tools/oidc-server';
import { afterAll, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open, settled } from './support/page-state.ts';
import { openSite } from './support/open-site.ts';

const oidc = await startOidcServer();
afterAll(() => oidc.close());
const LDAP = { LDAP_URL: 'ldap://127.0.0.1:9', LDAP_BASE_DN: 'dc=example', LDAP_LABEL: '' };
const { site, browser } = await openSite({ env: { ...oidc.env, ...LDAP } });
oidc.site = site.url;
oidc.nextUser = { sub: 'curie', name: '居里', groups: [] };

const WORDS = {
  en: { by: /Sign in with Institute of Physics/, agree: /I agree/ },
  zh: { by: /使用“Institute of Physics”登录/, agree: /同意/ },
} as const;

it.each(['en', 'zh'] as const)('in %s: agreement, provider, account', async (language) => {
  const words = WORDS[language];
  const { page, complaints } = await newVisitor(browser, { language });
  await open(page, `${site.url}/matdata`);
  const popup = page.getByRole('dialog');
  const by = popup.getByRole('button', { name: words.by });
  await by.waitFor();
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    if (process.env.INSTITUTE_SHOTS) {
      mkdirSync(process.env.INSTITUTE_SHOTS, { recursive: true });
      await page.screenshot({ path: `${process.env.INSTITUTE_SHOTS}/${language}-${width}.png` });
    }
  }
  // Nobody leaves for the provider without having agreed.
  await by.click();
  await popup.getByRole('alert').or(popup.locator('.mantine-Checkbox-error')).first().waitFor();
  await expect.poll(() => new URL(page.url()).origin).toBe(site.url);
  await popup.getByRole('checkbox', { name: words.agree }).check();
  await by.click();
  await page.waitForURL(`${site.url}/matdata`);
  await settled(page);
  await expect.poll(() => popup.count()).toBe(0);
  expect(complaints).toEqual([]);
});
