import type { PhononsJson } from '@unitcell/contract/results';

/** Wave vectors of high symmetry, each once. */
export function namedWaves({
  bands,
}: PhononsJson): readonly { readonly label: string; readonly q: readonly number[] }[] {
  const known = new Set<string>();
  return bands.flatMap(({ label, q }) => {
    if (label === undefined || known.has(label)) return [];
    known.add(label);
    return [{ label, q }];
  });
}
