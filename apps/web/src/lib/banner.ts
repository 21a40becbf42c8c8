/** The one banner under the navigation bar: closable, gone after five seconds (spec §8). */
import type { Tone } from './notify.ts';
import { observable, useObservable } from './observable.ts';

export const BANNER_MS = 5000;

export interface Banner {
  readonly tone: Tone;
  readonly message: string;
}

const banner = observable<Banner | null>(null);

export const useBanner = (): Banner | null => useObservable(banner);

export const closeBanner = (): void => banner.set(null);

/** Shows a message; a newer one replaces it. */
export function showBanner(tone: Tone, message: string): void {
  const shown = { tone, message };
  banner.set(shown);
  setTimeout(() => {
    if (banner.get() === shown) closeBanner();
  }, BANNER_MS);
}
