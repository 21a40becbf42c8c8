/**
 * What may become markup or a script address. The content security policy asks for it (`require-trusted-types-for`):
 * browsers hand every text on its way into such a place to the `default` policy, ours or a library's alike. Markup is
 * sanitised, scripts may only come from this site, and text that would be run is refused.
 */
import DOMPurify from 'dompurify';

interface TrustedTypeRules {
  createHTML(markup: string): string;
  createScriptURL(address: string): string;
}

interface TrustedTypeFactory {
  createPolicy(name: string, rules: TrustedTypeRules): unknown;
}

/** The one script of another site: the operator's page-view statistics, where there are any. */
let permitted: string | null = null;

/** Lets the script the operator configured be loaded, from exactly this address. The first call decides. */
export function permitScript(address: string): void {
  permitted ??= address;
}

/** @throws TypeError for an address of another site, unless it is exactly `exception` */
export function ownScriptAddress(address: string, origin: string, exception: string | null = null): string {
  if (exception !== null && address === exception) return address;
  const url = new URL(address, origin);
  const isOwn = url.origin === origin && (url.protocol === 'blob:' || /^https?:$/.test(url.protocol));
  if (!isOwn) throw new TypeError(`scripts come from this site only, not from ${url.origin}`);
  return address;
}

/** Installs the policy; browsers without Trusted Types need none. */
export function installTrustedTypes(): void {
  const factory = (window as { trustedTypes?: TrustedTypeFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createHTML: (markup) => DOMPurify.sanitize(markup, { USE_PROFILES: { html: true, svg: true } }),
    createScriptURL: (address) => ownScriptAddress(address, window.location.origin, permitted),
  });
}
