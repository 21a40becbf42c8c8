/**
 * A net as a structure that any crystal viewer loads: one flat layer, one element per kind of site, so that sites
 * differ in colour. The elements and lengths are for display and mean nothing else.
 */
import { orderedSite, type Structure, writeCif } from '@unitcell/crystal';
import type { Net } from './net.ts';

/** Length at which the mean edge is drawn, Å: the bond of graphene, so that viewers draw the edges as bonds. */
export const DISPLAY_EDGE_ANGSTROM = 1.42;
/** Distance between the layers of the drawing, Å. */
export const DISPLAY_LAYER_SPACING_ANGSTROM = 10;
/** Elements of the kinds of site in turn, chosen for colours that differ. */
export const DISPLAY_ELEMENTS = [
  'C',
  'N',
  'O',
  'S',
  'P',
  'F',
  'B',
  'Cl',
  'Si',
  'Se',
  'Br',
  'As',
  'I',
  'Ge',
] as const;

/** One primitive cell as a structure. */
export function netStructure(net: Net): Structure {
  const [[ax, ay], [bx, by]] = net.latticeVectors;
  const d = DISPLAY_EDGE_ANGSTROM;
  return {
    latticeVectors: [
      [ax * d, ay * d, 0],
      [bx * d, by * d, 0],
      [0, 0, DISPLAY_LAYER_SPACING_ANGSTROM],
    ],
    sites: net.positions.map(([x, y], site) =>
      orderedSite(DISPLAY_ELEMENTS[net.orbitOf[site] % DISPLAY_ELEMENTS.length], [x, y, 0]),
    ),
  };
}

export interface LatticeStructureWire {
  /** CIF text in P 1. */
  readonly script: string;
  readonly wyckoeffs: readonly { readonly idx: number; readonly symbol: string; readonly onsite: number }[];
}

/** Names of the web call: the drawing and one on-site energy, 0, per kind of site. */
export const toLatticeStructureWire = (net: Net): LatticeStructureWire => ({
  script: writeCif(netStructure(net), { name: net.id }),
  wyckoeffs: net.orbits.map(({ symbol }, idx) => ({ idx, symbol, onsite: 0 })),
});
