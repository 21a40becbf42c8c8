/** The data that each provider of page-view statistics expects, and its script. */
import type { Analytics, AnalyticsProvider } from '@unitcell/contract/site-config';

/** A page view, as reported to the statistics. */
export interface PageView {
  /** Path without query and fragment. */
  readonly path: string;
  readonly title: string;
}

type Command = readonly unknown[];

/** Queues that the providers' scripts process once they have loaded. */
interface TrackerWindow {
  readonly location: { readonly origin: string };
  readonly document: Document;
  _paq?: Command[];
  _hmt?: Command[];
  plausible?: PlausibleQueue;
}

interface PlausibleQueue {
  (event: string, options: object): void;
  /** Calls made before the script has loaded. */
  q?: unknown[];
  /** Settings for the script. */
  o?: object;
}

export interface Tracker {
  readonly script: HTMLScriptElement;
  readonly report: (view: PageView) => void;
}

type Report = Tracker['report'];

/** No cookies, and only the address we pass: no query, no referrer. */
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
    // Plausible's common script reads `u`, a script made for one site reads `url`.
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

/**
 * The queue of the provider, to which views can be added at once, and the script that sends the queue after loading.
 */
export function trackerOf(analytics: Analytics, page: TrackerWindow): Tracker {
  const script = page.document.createElement('script');
  script.async = true;
  // Providers identify a site by the origin of the request for their script; the page's address is not sent.
  script.referrerPolicy = 'strict-origin';
  if (analytics.provider === 'plausible') {
    script.dataset.domain = analytics.id;
    script.dataset.api = analytics.endpoint ?? '';
  }
  script.src = analytics.script;
  return { script, report: REPORTS[analytics.provider](analytics, page) };
}
