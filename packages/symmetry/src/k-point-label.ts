/**
 * Names of high-symmetry points as programs write them, as one symbol and its index.
 *
 * `\Gamma`, `GAMMA`, `G`-less `Γ`; `X_1`, `X_{1}`, `X1`; `\Sigma_1`, `SIGMA1`. Points are the same when symbol and
 * index are, whichever program named them.
 */
const GREEK: Readonly<Record<string, string>> = {
  GAMMA: 'Γ',
  SIGMA: 'Σ',
  DELTA: 'Δ',
  LAMBDA: 'Λ',
};

export interface KPointLabel {
  /** `Γ`, `X`; what was given where it is no name of a point. */
  readonly symbol: string;
  /** `1` of `X_1`; empty without one. */
  readonly index: string;
}

/** @example kPointLabel('\\Sigma_1') // { symbol: 'Σ', index: '1' } */
export function kPointLabel(name: string): KPointLabel {
  const parts = /^\\?([A-Za-z]+|[Α-Ω])_?\{?(\d*)\}?$/u.exec(name.trim());
  if (!parts) return { symbol: name.trim(), index: '' };
  const [, symbol = '', index = ''] = parts;
  return { symbol: GREEK[symbol.toUpperCase()] ?? symbol, index };
}
