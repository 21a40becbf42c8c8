/** Violations that axe finds on a page: WCAG 2.2 AA and its best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { showIn, transitionsOver } from './page-state.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose result depends on the colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** One line per violation: the rule, how often, and the first place. */
export async function violations(page: Page, runOnly: readonly string[] = TAGS): Promise<string[]> {
  await transitionsOver(page); // a colour in transition has less contrast
  // Injected by the debugger, to which the content security policy does not apply.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<AxeResults> };
    };
    return (await axe.run({ runOnly: rules, resultTypes: ['violations'] })).violations;
  }, runOnly);
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} (${nodes.length}): ${first?.target.join(' ')}: ${first?.failureSummary?.split('\n')[1]?.trim()}`;
  });
}

/** Violations of all rules in one appearance, then only those of the colour rules in the other appearance. */
export async function violationsInBoth(page: Page, first: 'light' | 'dark' = 'light'): Promise<string[]> {
  const second = first === 'light' ? 'dark' : 'light';
  const found: string[] = [];
  await showIn(page, first);
  for (const line of await violations(page)) found.push(`${first}: ${line}`);
  await showIn(page, second);
  for (const line of await violations(page, COLOUR_RULES)) found.push(`${second}: ${line}`);
  return found;
}
