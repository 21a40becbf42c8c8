/** Scrolls the chart and the results into view; in wide windows the chart is sticky. */
import { scrollToElement } from '../../lib/motion.ts';

export const CHART_ID = 'xrd-chart';
export const RESULTS_ID = 'results';
export const REFINE_ID = 'refine';
export const IDENTIFIED_ID = 'identified';
export const REFINED_ID = 'refined';

/** Height of the navigation bar plus a margin. */
const TOP_PX = 72;

export function showResults(): void {
  const results = document.getElementById(RESULTS_ID);
  const chart = document.getElementById(CHART_ID);
  if (!results || !chart) return;
  const isChartKept = getComputedStyle(chart).position === 'sticky';
  scrollToElement(results, TOP_PX + (isChartKept ? chart.offsetHeight : 0));
}

/** Scrolls only if nothing of it is visible, so that a visitor reading the rows keeps the position. */
export function showChart(): void {
  const chart = document.getElementById(CHART_ID);
  if (chart && chart.getBoundingClientRect().bottom < 2 * TOP_PX) scrollToElement(chart);
}

/** Scrolls the answer of an identification or refinement to the top, or the section that starts one. */
export function showRefinement(): void {
  const place = [IDENTIFIED_ID, REFINED_ID, REFINE_ID]
    .map((id) => document.getElementById(id))
    .find((found) => found !== null);
  if (place) scrollToElement(place, TOP_PX);
}
