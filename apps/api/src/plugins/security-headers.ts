/** A library's empty style element, filled through the style sheet's own interface (Plotly): the hash of nothing. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * What the browser is allowed to load. No inline script and no inline style element; WebAssembly (symmetry in the
 * browser) and blob workers are ours. 3Dmol contains a direct eval on a path the viewer never takes, so 'unsafe-eval'
 * is not granted for it. Text becomes markup or a script address only through the policies named here: ours
 * (apps/web/src/lib/trusted-types.ts) and the sanitiser's.
 */
export const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'"],
    // Plotly sets subscripts of its labels as style attributes, which can move and colour but not load or run anything.
    styleSrcAttr: ["'unsafe-inline'"],
    styleSrcElem: ["'self'", EMPTY_STYLE],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", 'blob:'],
    workerSrc: ["'self'", 'blob:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ['default', 'dompurify'],
  },
};
