import type { Analytics } from '@unitcell/contract/site-config';

/** A library's empty style element, filled through the style sheet's own interface (Plotly): the hash of nothing. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * What the browser is allowed to load. No inline script and no inline style element; WebAssembly (symmetry in the
 * browser) and blob workers are ours. Text becomes markup or a script address only through the policies named here: ours
 * (apps/web/src/lib/trusted-types.ts), the sanitiser's, and that of Vue, which draws the documentation.
 *
 * Where page views are reported, the one script of the provider is added, and its host for what that script sends.
 */
export function contentSecurityPolicy(analytics: Analytics | null) {
  const script = analytics ? [scriptSource(analytics)] : [];
  const hosts = analytics ? hostsOf(analytics) : [];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...script],
      scriptSrcAttr: ["'none'"],
      styleSrc: ["'self'"],
      // Plotly sets subscripts of its labels as style attributes, which can move and colour but not load or run anything.
      styleSrcAttr: ["'unsafe-inline'"],
      styleSrcElem: ["'self'", EMPTY_STYLE],
      imgSrc: ["'self'", 'data:', 'blob:', ...hosts],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", 'blob:', ...hosts],
      workerSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['default', 'dompurify', 'vue'],
    },
  };
}

/** A source names a path but no query. */
const scriptSource = ({ script }: Analytics): string => script.split('?', 1)[0] ?? script;

const hostsOf = ({ script, endpoint }: Analytics): readonly string[] => [
  ...new Set([script, endpoint ?? script].map((address) => new URL(address).origin)),
];
