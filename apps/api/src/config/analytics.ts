/** Page-view statistics: which provider the operator chose. */
import { ANALYTICS_PROVIDERS, type Analytics, type AnalyticsProvider } from '@unitcell/contract/site-config';

/** ANALYTICS_PROVIDER, ANALYTICS_ID and ANALYTICS_URL as they were set. */
interface AnalyticsSettings {
  readonly provider: string | undefined;
  readonly id: string | undefined;
  readonly url: string | undefined;
}

interface ProviderRules {
  readonly id: RegExp;
  readonly idLooksLike: string;
  /** null: there is no public one, the operator has to say where theirs is. */
  readonly url: string | null;
  /** Script and endpoint below the provider's address, which has no slash at its end. */
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
    // Sites of 2025 and later have a script of their own, earlier ones a common one told the domain.
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

/** An address that can stand in a header: no blanks, quotes, commas or semicolons, no query and no user. */
const PLAIN_ADDRESS = /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/;

/** What was set, checked; null when no provider is named. Adds one sentence to `problems` for each thing that is wrong. */
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
