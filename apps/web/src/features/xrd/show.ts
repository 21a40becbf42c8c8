/** Brings the chart and the results into sight; in wide windows the chart stays there by itself. */
import { scrollToElement } from '../../lib/motion.ts';

export const CHART_ID = 'xrd-chart';
export const RESULTS_ID = 'results';

/** Room of the navigation bar, and a little air. */
const TOP_PX = 72;

export function showResults(): void {
  const results = document.getElementById(RESULTS_ID);
  const chart = document.getElementById(CHART_ID);
  if (!results || !chart) return;
  const isChartKept = getComputedStyle(chart).position === 'sticky';
  scrollToElement(results, TOP_PX + (isChartKept ? chart.offsetHeight : 0));
}

/** Only when nothing of it can be seen: whoever goes through the rows is not to lose them. */
export function showChart(): void {
  const chart = document.getElementById(CHART_ID);
  if (chart && chart.getBoundingClientRect().bottom < 2 * TOP_PX) scrollToElement(chart);
}
