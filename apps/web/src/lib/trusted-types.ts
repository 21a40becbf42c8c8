/**
 * The Trusted Types policy required by the content security policy (`require-trusted-types-for`): browsers pass every text
 * that becomes markup or a script address to the `default` policy, from our code and from libraries. Markup is sanitised,
 * scripts may only come from this site, and text that would be executed is refused.
 */
import DOMPurify from 'dompurify';

interface TrustedTypeRules {
  createHTML(markup: string): string;
  createScriptURL(address: string): string;
}

interface TrustedTypeFactory {
  createPolicy(name: string, rules: TrustedTypeRules): unknown;
}

/** The only script allowed from another site: the operator's page-view statistics. */
let permitted: string | null = null;

/** Allows the script that the operator configured, from exactly this address. Only the first call counts. */
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
