import { type Analytics, ANALYTICS_PROVIDERS, type AnalyticsProvider } from '@unitcell/contract/site-config';

// Page-view statistics: the provider chosen by the operator.

/** The raw values of ANALYTICS_PROVIDER, ANALYTICS_ID and ANALYTICS_URL. */
interface AnalyticsSettings {
  readonly provider: string | undefined;
  readonly id: string | undefined;
  readonly url: string | undefined;
}

interface ProviderRules {
  readonly id: RegExp;
  readonly idLooksLike: string;
  /** The provider's address; null: there is no public instance, so the operator must set it. */
  readonly url: string | null;
  /** Script and endpoint at the provider's address, which has no trailing slash. */
  readonly places: (url: string, id: string) => Pick<Analytics, 'script' | 'endpoint'>;
}

const RULES: Readonly<Record<AnalyticsProvider, ProviderRules>> = {
  matomo: {
    id: /^[1-9]\d{0,8}$/,
    idLooksLike: 'the number of the site in Matomo',
    url: null,
    places: (url) => ({ script: `${url}/matomo.js`, endpoint: `${url}/matomo.php` }),
  },
  plausible: {
    id: /^(?:pa-[\w-]+|[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i,
    idLooksLike: 'a domain like materials.example.org, or the name pa-… of its script',
    url: 'https://plausible.io',
    // Sites created since 2025 have their own script; older sites share one script and pass the domain.
    places: (url, id) => ({
      script: `${url}/js/${id.startsWith('pa-') ? id : 'script.manual'}.js`,
      endpoint: `${url}/api/event`,
    }),
  },
  baidu: {
    id: /^[0-9a-f]{32}$/i,
    idLooksLike: 'the 32 characters after hm.js? in the snippet',
    url: 'https://hm.baidu.com',
    places: (url, id) => ({ script: `${url}/hm.js?${id}`, endpoint: null }),
  },
};

/** Recognises an address that is safe in a header: no blanks, quotes, commas or semicolons, no query and no user. */
const PLAIN_ADDRESS = /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/;

/** The validated settings; null when no provider is named. Adds one sentence to `problems` per error. */
export function readAnalytics(settings: AnalyticsSettings, problems: string[]): Analytics | null {
  const [name, id, url] = [settings.provider, settings.id, settings.url].map((text) => text?.trim() ?? '');
  if (!name) return null;
  const provider = ANALYTICS_PROVIDERS.find((known) => known === name);
  if (!provider) {
    problems.push(`ANALYTICS_PROVIDER is "${name}": expected matomo, plausible or baidu, or nothing`);
    return null;
  }
  const rules = RULES[provider];
  if (!id || !rules.id.test(id))
    problems.push(
      `ANALYTICS_ID is ${id ? `"${id}"` : 'not set'}: expected ${rules.idLooksLike}, because ANALYTICS_PROVIDER is ${provider}`,
    );
  const base = (url || rules.url || '').replace(/\/+$/, '');
  if (!PLAIN_ADDRESS.test(base) || !URL.canParse(base)) {
    problems.push(
      `ANALYTICS_URL is ${url ? `"${url}"` : 'not set'}: expected the address of ${provider}, like https://stats.example.org`,
    );
    return null;
  }
  return { provider, id: id ?? '', ...rules.places(base, id ?? '') };
}

/**
 * OTEL_…: the destination of spans. OpenTelemetry's SDK itself reads resource attributes, headers and its other
 * variables.
 */

export interface TelemetryConfig {
  /** The collector, for OTLP over HTTP; `/v1/traces` is appended. */
  readonly endpoint: string;
  /** Sampled share of requests and jobs, 0 to 1. */
  readonly share: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the settings; null: nothing is measured, loaded or sent. */
export function readTelemetry(env: Environment, problems: string[]): TelemetryConfig | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() ?? '';
  if (endpoint === '' || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return null;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    problems.push(
      `OTEL_EXPORTER_OTLP_ENDPOINT is "${endpoint}": expected an address like http://collector.example.org:4318`,
    );
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() ?? '';
  if (protocol === 'grpc')
    problems.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": spans are sent over HTTP; name the port of the collector for HTTP, usually 4318',
    );
  const typed = env.OTEL_TRACES_SAMPLER_ARG?.trim() || '1';
  const share = Number(typed);
  if (!(share >= 0 && share <= 1))
    problems.push(`OTEL_TRACES_SAMPLER_ARG is "${typed}": expected a share from 0 to 1`);
  return { endpoint: endpoint.replace(/\/+$/, ''), share };
}
