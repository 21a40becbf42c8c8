/**
 * Page views, if the operator has them counted (docs/operating/operations.md): the title, and the address without query
 * and fragment. A browser that sends Do-Not-Track or Global Privacy Control requests, loads and sends nothing.
 */
import { SITE_CONFIG_PATH, type SiteConfig } from '@unitcell/contract/site-config';
import type { PageView } from './trackers.ts';
import { permitScript } from './trusted-types.ts';

type Report = (view: PageView) => void;

interface PrivacySignals {
  readonly doNotTrack?: string | null;
  readonly globalPrivacyControl?: boolean;
}

export const asksForPrivacy = ({ doNotTrack, globalPrivacyControl }: PrivacySignals): boolean =>
  doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl === true;

async function openReport(): Promise<Report | null> {
  if (asksForPrivacy(navigator)) return null;
  const answer = await fetch(SITE_CONFIG_PATH, { headers: { Accept: 'application/json' } });
  if (!answer.ok) return null;
  const { analytics } = (await answer.json()) as SiteConfig;
  if (analytics === null) return null;
  const { trackerOf } = await import('./trackers.ts');
  permitScript(analytics.script);
  const tracker = trackerOf(analytics, window);
  document.head.append(tracker.script);
  return tracker.report;
}

let opened: Promise<Report | null> | undefined;

/** Reports a view. Errors are ignored: statistics must never break the page. */
export async function reportPageView(view: PageView): Promise<void> {
  opened ??= openReport().catch(() => null);
  (await opened)?.(view);
}
