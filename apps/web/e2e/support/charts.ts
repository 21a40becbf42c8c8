/** Charts: a still drawing until the pointer enters, then one of plotly.js. */
import type { Locator, Page } from 'playwright-core';

/** A chart that is drawn, still or live. */
export const CHART = ':is(svg[data-still], .js-plotly-plot .main-svg:first-child)';

/** Points at the first chart of a place, and waits until it is live. */
export async function makeChartLive(place: Page | Locator): Promise<void> {
  await place
    .locator(`[role="img"]:has(${CHART})`)
    .first()
    .hover({ position: { x: 4, y: 4 } });
  await place.locator('.js-plotly-plot .main-svg').first().waitFor();
}
