/** What axe finds wrong with a page: WCAG 2.2 AA and its best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { transitionsOver } from './page-state.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** One line per violation: the rule, how often, and the first place. */
export async function violations(page: Page): Promise<string[]> {
  await transitionsOver(page); // half a colour has half a contrast
  await page.evaluate(axeSource); // by the debugger, which the content security policy does not concern
  const found = await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<AxeResults> };
    };
    return (await axe.run({ runOnly: tags, resultTypes: ['violations'] })).violations;
  }, TAGS);
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} (${nodes.length}): ${first?.target.join(' ')}: ${first?.failureSummary?.split('\n')[1]?.trim()}`;
  });
}
