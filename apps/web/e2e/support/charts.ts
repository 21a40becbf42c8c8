/** Charts on a page: a static SVG until the pointer enters, then live, which means drawn by plotly.js. */
import type { Locator, Page } from 'playwright-core';

/** A drawn chart, static or live. */
export const CHART = ':is(svg[data-still], .js-plotly-plot .main-svg:first-child)';

/** Moves the pointer onto the first chart in `place`, and waits until the chart is live. */
export async function makeChartLive(place: Page | Locator): Promise<void> {
  await place
    .locator(`[role="img"]:has(${CHART})`)
    .first()
    .hover({ position: { x: 4, y: 4 } });
  await place.locator('.js-plotly-plot .main-svg').first().waitFor();
}
