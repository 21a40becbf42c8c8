import { writeFileSync } from 'node:fs';
import { launchBrowser, newVisitor } from './browser.ts';
import { settled } from './page-state.ts';
const [out = '', language = 'en', width = '1440', scheme = 'light', path = '/', token = '', act = ''] = process.argv.slice(2);
const browser = await launchBrowser();
const { page } = await newVisitor(browser, { language: language as 'en', token: token || undefined, viewport: { width: Number(width), height: 900 }, colorScheme: scheme as 'light' } as never);
await page.addInitScript('globalThis.__name = (f) => f');
await page.goto(`http://127.0.0.1:3954${path}`);
await settled(page);
if (act) { const f = new Function('page', `return (async () => { ${act} })()`); const result = await f(page); if (result) writeFileSync(`${out}.txt`, String(result)); }
await page.waitForTimeout(500);
await page.screenshot({ path: `${out}.png`, fullPage: true });
await browser.close();
