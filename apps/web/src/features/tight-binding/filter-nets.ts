/** Search of the lattice picker: words in names, and properties of the lattice. */
import type { Net } from '@unitcell/tight-binding';

export interface NetFilter {
  readonly text: string;
  readonly isFlat: boolean;
  readonly isDirac: boolean;
  /** Degree of at least one site; '' for any. */
  readonly degree: string;
  readonly planeGroup: string;
  /** Sites per cell, a key of {@link SITE_CLASSES}; '' for any. */
  readonly sites: string;
}

export const NO_FILTER: NetFilter = {
  text: '',
  isFlat: false,
  isDirac: false,
  degree: '',
  planeGroup: '',
  sites: '',
};

export const SITE_CLASSES: Readonly<Record<string, readonly [number, number]>> = {
  '1–3': [1, 3],
  '4–6': [4, 6],
  '7–12': [7, 12],
  '13–24': [13, 24],
  '25–60': [25, 60],
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** 0: a name equals the text, 1: one starts with it, 2: one contains it; undefined: no match. */
function rankOf(net: Net, text: string): number | undefined {
  const names = [net.id, ...net.names].map(plain);
  if (text === '' || names.includes(text)) return 0;
  if (names.some((name) => name.startsWith(text))) return 1;
  return names.some((name) => name.includes(text)) ? 2 : undefined;
}

function isWanted(net: Net, { isFlat, isDirac, degree, planeGroup, sites }: NetFilter): boolean {
  const [least, most] = SITE_CLASSES[sites] ?? [1, Number.POSITIVE_INFINITY];
  const count = net.positions.length;
  return (
    (!isFlat || net.flatBands.length > 0) &&
    (!isDirac || net.diracPoints.length > 0) &&
    (degree === '' || net.orbits.some((orbit) => String(orbit.degree) === degree)) &&
    (planeGroup === '' || net.planeGroup === planeGroup) &&
    count >= least &&
    count <= most
  );
}

/** The matching nets, best matches first, otherwise in the given order. */
export function filterNets(nets: readonly Net[], filter: NetFilter): readonly Net[] {
  const text = plain(filter.text);
  return nets
    .flatMap((net) => {
      const rank = isWanted(net, filter) ? rankOf(net, text) : undefined;
      return rank === undefined ? [] : [{ net, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ net }) => net);
}

export const degreesOf = (nets: readonly Net[]): string[] =>
  [...new Set(nets.flatMap(({ orbits }) => orbits.map(({ degree }) => degree)))]
    .sort((a, b) => a - b)
    .map(String);

export const planeGroupsOf = (nets: readonly Net[]): string[] =>
  [...new Set(nets.map(({ planeGroup }) => planeGroup))].sort();
