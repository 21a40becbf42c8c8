/** One net as one line of text, the form in which the tables are stored. */
import type { Net, PlaneGroup, SiteOrbit } from './net.ts';
import type { NetEdge, Vec2 } from './periodic-graph.ts';

/** Positions are stored as whole numbers of 1 / this. */
const POSITION_STEPS = 1e6;
const DRAWINGS = ['equal edges', 'open faces', 'barycentric', 'constructed'] as const;

/** One net as the JSON array in a line of the table. */
type NetRow = readonly [
  id: string,
  names: readonly string[],
  symbol: string,
  planeGroup: PlaneGroup,
  lattice: readonly [ax: number, bx: number, by: number],
  positions: readonly number[],
  /** Per orbit: Wyckoff letter, sites, degree, as in `c3.4`. */
  orbits: readonly string[],
  edges: readonly number[],
  flatBands: readonly number[],
  diracPoints: readonly string[],
  drawing: number,
];

/** Text of one net for the table. */
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

/** What a line of the table is called, without reading the rest of it. */
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
