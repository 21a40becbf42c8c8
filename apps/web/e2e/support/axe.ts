/** Violations that axe finds on a page: WCAG 2.2 AA and its best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { showIn, transitionsOver } from './page-state.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * All rules but the size of targets, axe's only new rule for WCAG 2.2 AA. `tooSmall` checks it in a fraction
 * of the time.
 */
export const ALL_BUT_SIZES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
const ALL = [...ALL_BUT_SIZES, 'wcag22aa'];
/** The bar and the footer around every page. */
const FRAME = ['header:not(main header)', 'footer:not(main footer)'];
/** Rules whose result depends on the colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Checked {
  readonly rules?: readonly string[];
  /** Selector of the part that is checked. On a long page this saves most of the time. */
  readonly within?: string;
  /** Also checks the bar and the footer, which take half of the time of most pages. */
  readonly hasFrame?: boolean;
}

/** One line per violation: the rule, how often, and the first place. */
export async function violations(
  page: Page,
  { rules = ALL, within = 'html', hasFrame = false }: Checked = {},
): Promise<string[]> {
  await transitionsOver(page); // a colour in transition has less contrast
  // Injected by the debugger, to which the content security policy does not apply.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(
    async ([part, runOnly]) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (part: object, options: object) => Promise<AxeResults> };
      };
      return (await axe.run(part, { runOnly, resultTypes: ['violations'] })).violations;
    },
    [{ include: [[within]], exclude: hasFrame ? [] : FRAME.map((part) => [part]) }, rules] as const,
  );
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} (${nodes.length}): ${first?.target.join(' ')}: ${first?.failureSummary?.split('\n')[1]?.trim()}`;
  });
}

/** Violations of all rules in the light appearance, then only those of the colour rules in the dark one. */
export async function violationsInBoth(page: Page, checked: Checked = {}): Promise<string[]> {
  await showIn(page, 'light');
  const light = await violations(page, checked);
  await showIn(page, 'dark');
  const dark = await violations(page, { ...checked, rules: COLOUR_RULES });
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}
