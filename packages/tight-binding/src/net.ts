import { orderedSite, type Structure, writeCif } from '@unitcell/crystal';
import { namedNetLines } from './data/named-nets.ts';
import type { Mat2, NetEdge, Vec2 } from './periodic-graph.ts';
import { TightBindingError } from './tight-binding-error.ts';

// The catalogue has one line of text per net in `data/`, written by workshop/nets/generate.ts. The named nets are
// loaded with a page; the full enumeration is a separate chunk.

/**
 * Parsed nets by index in the table. Lines are parsed on demand, because a page shows one of hundreds of nets.
 */
const parsed: Net[] = [];
let places: ReadonlyMap<string, number> | undefined;
let named: readonly Net[] | undefined;

/** A key for searches, which ignores case and the difference between spaces and hyphens. */
const searchKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-');

const netAt = (place: number): Net => (parsed[place] ??= parseNetLine(namedNetLines[place]));

function placesByName(): ReadonlyMap<string, number> {
  if (!places) {
    const namesOf = namedNetLines.map(namesOfNetLine);
    places = new Map([
      ...namesOf.flatMap(({ names }, place) => names.map((name) => [searchKey(name), place] as const)),
      // An id takes precedence over another net's alias.
      ...namesOf.map(({ id }, place) => [searchKey(id), place] as const),
    ]);
  }
  return places;
}

/** All named nets, in alphabetical order of their ids. */
export const listNets = (): readonly Net[] => (named ??= namedNetLines.map((_line, place) => netAt(place)));

/**
 * The named net with this id or alias, or undefined; ignores case and the difference between spaces and
 * hyphens.
 */
export function findNet(id: string): Net | undefined {
  const place = placesByName().get(searchKey(id));
  return place === undefined ? undefined : netAt(place);
}

/**
 * The named net with this id or alias.
 * @throws TightBindingError `unknown-net`, naming the nearest ids.
 * @example netById('kgm').planeGroup // 'p6mm'
 * @example netById('star').id // 'hca'
 */
export function netById(id: string): Net {
  const net = findNet(id);
  if (net) return net;
  const text = id.trim().toLowerCase().slice(0, 40);
  const similar = listNets()
    .map((other) => other.id)
    .filter((other) => other.startsWith(text.slice(0, 2)))
    .slice(0, 5);
  const hint = similar.length > 0 ? ` Similar: ${similar.join(', ')}.` : '';
  throw new TightBindingError('unknown-net', `there is no lattice "${text}".${hint}`, { id: text });
}

let complete: Promise<readonly Net[]> | undefined;

/** Every named net, followed by every further proper net of the enumeration up to 12 chambers (loaded on demand). */
export function loadAllNets(): Promise<readonly Net[]> {
  complete ??= import('./data/all-nets.ts').then(({ otherNetLines }) => [
    ...listNets(),
    ...otherNetLines.map(parseNetLine),
  ]);
  return complete;
}

// A net is drawn as a structure for any crystal viewer: one flat layer, one element per kind of site, so that sites
// differ in colour. Elements and lengths are for display only.

/** Length of the mean edge in the drawing, Å: the bond of graphene, so that viewers draw the edges as bonds. */
export const DISPLAY_EDGE_ANGSTROM = 1.42;
/** Distance between the layers of the drawing, Å. */
export const DISPLAY_LAYER_SPACING_ANGSTROM = 10;
/** Elements assigned in this order to the kinds of site, chosen for their distinct colours. */
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

/** Converts to the field names of the API call: the drawing, and one on-site energy of 0 per kind of site. */
export const toLatticeStructureWire = (net: Net): LatticeStructureWire => ({
  script: writeCif(netStructure(net), { name: net.id }),
  wyckoeffs: net.orbits.map(({ symbol }, idx) => ({ idx, symbol, onsite: 0 })),
});

/** Positions are stored as integer multiples of 1 / `POSITION_STEPS`. */
const POSITION_STEPS = 1e6;
const DRAWINGS = ['equal edges', 'open faces', 'barycentric', 'constructed'] as const;

/** One net as a JSON array, a line of the table. */
type NetRow = readonly [
  id: string,
  names: readonly string[],
  symbol: string,
  planeGroup: PlaneGroup,
  lattice: readonly [ax: number, bx: number, by: number],
  positions: readonly number[],
  /** For each orbit: Wyckoff letter, number of sites and degree, as in `c3.4`. */
  orbits: readonly string[],
  edges: readonly number[],
  flatBands: readonly number[],
  diracPoints: readonly string[],
  drawing: number,
];

/** Text of one net, as a line of the table. */
export function formatNetLine(net: Net): string {
  const row: NetRow = [
    net.id,
    net.names,
    net.symbol ?? '',
    net.planeGroup,
    [net.latticeVectors[0][0], ...net.latticeVectors[1]],
    net.positions.flatMap((position) => position.map((x) => Math.round(x * POSITION_STEPS))),
    net.orbits.map(({ wyckoff, siteCount, degree }) => `${wyckoff}${siteCount}.${degree}`),
    net.edges.flat(),
    net.flatBands.flatMap(({ energy, multiplicity }) => [energy, multiplicity]),
    net.diracPoints,
    DRAWINGS.indexOf(net.drawing),
  ];
  return JSON.stringify(row);
}

/** Id and names of a line of the table, without parsing the rest. */
export function namesOfNetLine(line: string): Pick<Net, 'id' | 'names'> {
  const [id, names] = JSON.parse(`${line.slice(0, line.indexOf(']'))}]]`) as [NetRow[0], NetRow[1]];
  return { id, names };
}

/** The net of one line of the table. */
export function parseNetLine(line: string): Net {
  const [
    id,
    names,
    symbol,
    planeGroup,
    [ax, bx, by],
    positions,
    orbitTexts,
    edges,
    flatBands,
    diracPoints,
    drawing,
  ] = JSON.parse(line) as NetRow;
  const bare = orbitTexts.map((text) => {
    const [, wyckoff, siteCount, degree] = /^([a-i])(\d+)\.(\d+)$/.exec(text)!;
    return { wyckoff: wyckoff, siteCount: Number(siteCount), degree: Number(degree) };
  });
  const orbits = bare.map((orbit, index): SiteOrbit => {
    const isShared = bare.some((other, k) => k !== index && other.wyckoff === orbit.wyckoff);
    const number = bare.slice(0, index + 1).filter(({ wyckoff }) => wyckoff === orbit.wyckoff).length;
    return { symbol: isShared ? `${orbit.wyckoff}${number}` : orbit.wyckoff, ...orbit };
  });
  return {
    id,
    names,
    ...(symbol === '' ? {} : { symbol }),
    planeGroup,
    latticeVectors: [
      [ax, 0],
      [bx, by],
    ],
    positions: groups(positions, 2).map(([x, y]): Vec2 => [x / POSITION_STEPS, y / POSITION_STEPS]),
    orbitOf: orbits.flatMap(({ siteCount }, orbit) => Array.from({ length: siteCount }, (): number => orbit)),
    orbits,
    edges: groups(edges, 4) as unknown as NetEdge[],
    flatBands: groups(flatBands, 2).map(([energy, multiplicity]) => ({
      energy: energy,
      multiplicity: multiplicity,
    })),
    diracPoints,
    drawing: DRAWINGS[drawing],
  };
}

const groups = (values: readonly number[], size: number): number[][] =>
  Array.from({ length: values.length / size }, (_, index) => values.slice(index * size, (index + 1) * size));

/** The 17 plane groups by their short Hermann–Mauguin symbols (International Tables for Crystallography, Vol. A). */
export type PlaneGroup =
  | 'p1'
  | 'p2'
  | 'pm'
  | 'pg'
  | 'cm'
  | 'p2mm'
  | 'p2mg'
  | 'p2gg'
  | 'c2mm'
  | 'p4'
  | 'p4mm'
  | 'p4gm'
  | 'p3'
  | 'p3m1'
  | 'p31m'
  | 'p6'
  | 'p6mm';

/** Sites that are equivalent by the symmetry of the net; they share one on-site energy. */
export interface SiteOrbit {
  /** Name on the on-site slider: the Wyckoff letter, followed by a number if several orbits share it (`e1`, `e2`). */
  readonly symbol: string;
  readonly wyckoff: string;
  /** Sites per primitive cell. */
  readonly siteCount: number;
  /** Number of edges at every site of the orbit. */
  readonly degree: number;
}

/** A lattice of the catalogue: one primitive cell in the standard setting of its plane group. */
export interface Net {
  /** RCSR code, physics name, `code-d`/`-e`/`-a`, or systematic name. */
  readonly id: string;
  /** Aliases for searching. */
  readonly names: readonly string[];
  /** Canonical Delaney–Dress symbol, for nets that are tilings. */
  readonly symbol?: string;
  readonly planeGroup: PlaneGroup;
  /** Rows a₁, a₂ in units of the mean edge, with a₁ along x. */
  readonly latticeVectors: Mat2;
  /** Fractional positions, orbit by orbit. */
  readonly positions: readonly Vec2[];
  /** Orbit index of every site; never decreases. */
  readonly orbitOf: readonly number[];
  readonly orbits: readonly SiteOrbit[];
  readonly edges: readonly NetEdge[];
  /** Exact flat bands of H = +1 · adjacency: energy and multiplicity. */
  readonly flatBands: readonly FlatBandLevel[];
  /** Labels of the path corners at which two bands cross linearly. */
  readonly diracPoints: readonly string[];
  /** The method that produced the drawing. */
  readonly drawing: 'equal edges' | 'open faces' | 'barycentric' | 'constructed';
}

export interface FlatBandLevel {
  readonly energy: number;
  readonly multiplicity: number;
}
