/** What each provider of page-view statistics wants to be told, and by which script. */
import type { Analytics, AnalyticsProvider } from '@unitcell/contract/site-config';
import type { PageView } from './page-view.ts';

type Command = readonly unknown[];

/** Queues the providers' scripts take over once they have loaded. */
interface TrackerWindow {
  readonly location: { readonly origin: string };
  readonly document: Document;
  _paq?: Command[];
  _hmt?: Command[];
  plausible?: PlausibleQueue;
}

interface PlausibleQueue {
  (event: string, options: object): void;
  /** Calls of the time before the script. */
  q?: unknown[];
  /** Settings for the script. */
  o?: object;
}

export interface Tracker {
  readonly script: HTMLScriptElement;
  readonly report: (view: PageView) => void;
}

type Report = Tracker['report'];

/** No cookies, and no address but the one we name: neither with its query nor as the one before. */
function matomo({ id, endpoint }: Analytics, page: TrackerWindow): Report {
  page._paq ??= [];
  const { _paq } = page;
  _paq.push(['disableCookies'], ['setDoNotTrack', true], ['setTrackerUrl', endpoint], ['setSiteId', id]);
  let before = '';
  return ({ path, title }) => {
    const address = page.location.origin + path;
    _paq.push(['setReferrerUrl', before], ['setCustomUrl', address], ['setDocumentTitle', title]);
    _paq.push(['trackPageView']);
    before = address;
  };
}

function plausible({ endpoint }: Analytics, page: TrackerWindow): Report {
  page.plausible ??= Object.assign(
    (...call: [string, object]): void => {
      (page.plausible!.q ??= []).push(call);
    },
    { o: { autoCapturePageviews: false, endpoint } },
  );
  return ({ path }) => {
    const address = page.location.origin + path;
    // The common script reads `u`, the script of a site `url`.
    page.plausible!('pageview', { u: address, url: address });
  };
}

function baidu(_analytics: Analytics, page: TrackerWindow): Report {
  page._hmt ??= [];
  const { _hmt } = page;
  _hmt.push(['_setAutoPageview', false]);
  return ({ path }) => void _hmt.push(['_trackPageview', path]);
}

const REPORTS: Readonly<Record<AnalyticsProvider, typeof matomo>> = { matomo, plausible, baidu };

/** The provider's queue, ready for views, and the script that empties it once it stands in the page. */
export function trackerOf(analytics: Analytics, page: TrackerWindow): Tracker {
  const script = page.document.createElement('script');
  script.async = true;
  // Providers know a site by where the request for their script comes from; the page's address stays here.
  script.referrerPolicy = 'strict-origin';
  if (analytics.provider === 'plausible') {
    script.dataset.domain = analytics.id;
    script.dataset.api = analytics.endpoint ?? '';
  }
  script.src = analytics.script;
  return { script, report: REPORTS[analytics.provider](analytics, page) };
}
