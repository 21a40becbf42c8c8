import { readFileSync } from 'node:fs';
import { launchBrowser } from './support/browser.ts';
const base = 'http://127.0.0.1:3992';
const token = readFileSync('/tmp/uh-ux.token', 'utf8').trim();
const jobs = process.argv.slice(2); // url|name|width|lang|selector-to-click|full
const browser = await launchBrowser();
for (const job of jobs) {
  const [url = '', name = '', width = '1440', lang = 'en', click = '', sel = ''] = job.split('|');
  const context = await browser.newContext({
    viewport: { width: Number(width), height: Number(width) < 800 ? 760 : 900 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript(
    ([l, t]) => {
      localStorage.setItem('languageSet', l!);
      if (t) localStorage.setItem('userToken', t);
    },
    [lang, url === '/' ? '' : token],
  );
  const page = await context.newPage();
  page.on('pageerror', (e) => console.log('ERR', name, e.message));
  try {
    await page.goto(base + url, { waitUntil: 'load', timeout: 60000 });
    await page.locator('h1').first().waitFor({ timeout: 40000 });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.waitForLoadState('networkidle', { timeout: 8000 }).catch(() => undefined);
    for (const c of click ? click.split('>>>') : []) {
      await page.locator(c).first().click({ timeout: 15000 });
      await page.waitForTimeout(800);
    }
    await page.waitForTimeout(2500);
    if (sel)
      await page
        .locator(sel)
        .first()
        .screenshot({ path: `/tmp/uxs/${name}.png`, timeout: 15000 });
    else await page.screenshot({ path: `/tmp/uxs/${name}.png`, fullPage: true });
    console.log(name);
  } catch (e) {
    console.log('FAIL', name, String(e).slice(0, 300));
    await page.screenshot({ path: `/tmp/uxs/${name}.png` }).catch(() => 0);
  }
  await context.close();
}
await browser.close();
