/**
 * What the operator decided about the web client, read by it from `/site-config.json` after a page has loaded. A file of
 * the site rather than a call of the API: it holds nothing about anybody and nobody but the web client has a use for it.
 */
export const SITE_CONFIG_PATH = '/site-config.json';

export const ANALYTICS_PROVIDERS = ['matomo', 'plausible', 'baidu'] as const;
export type AnalyticsProvider = (typeof ANALYTICS_PROVIDERS)[number];

/** Where page views are reported to. */
export interface Analytics {
  readonly provider: AnalyticsProvider;
  /** The site's id at the provider. */
  readonly id: string;
  /** Address of the provider's script: the only script of another site the browser may load. */
  readonly script: string;
  /** Address page views are sent to; the provider's own where its script knows it. */
  readonly endpoint: string | null;
}

export interface SiteConfig {
  /** null: page views are not reported anywhere. */
  readonly analytics: Analytics | null;
}
