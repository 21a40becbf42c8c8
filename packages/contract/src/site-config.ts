/**
 * Operator settings of the web client, read from `/site-config.json` after a page has loaded. They are a file instead
 * of an API call, because they contain no personal data and only the web client uses them.
 */
export const SITE_CONFIG_PATH = '/site-config.json';

export const ANALYTICS_PROVIDERS = ['matomo', 'plausible', 'baidu'] as const;
export type AnalyticsProvider = (typeof ANALYTICS_PROVIDERS)[number];

/** The analytics provider that receives page views. */
export interface Analytics {
  readonly provider: AnalyticsProvider;
  /** The site's id at the provider. */
  readonly id: string;
  /** Address of the provider's script, the only script of another site that the browser may load. */
  readonly script: string;
  /** Address for page views; null if the provider's script has its own default. */
  readonly endpoint: string | null;
}

export interface SiteConfig {
  /** If null, page views are not reported. */
  readonly analytics: Analytics | null;
}
