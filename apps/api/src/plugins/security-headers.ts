/**
 * What the browser is allowed to load. No inline script; WebAssembly (symmetry in the browser) and blob workers are
 * ours. 3Dmol contains a direct eval on a path the viewer never takes, so 'unsafe-eval' is not granted for it.
 */
export const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    // Mantine and Plotly set style attributes; those are governed by style-src-attr, style elements stay closed.
    styleSrc: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    styleSrcElem: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", 'blob:'],
    workerSrc: ["'self'", 'blob:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};
