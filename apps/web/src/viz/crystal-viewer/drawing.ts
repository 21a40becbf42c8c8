/**
 * A scene as lists of vertices: balls, sticks, faces and lines, four vertices to a quad. Not instanced: software
 * renderers treat every instance as a call of its own (docs/adr/0015).
 */
import { polyhedronEdges, triangles } from '@unitcell/crystal';
import { add3, scale3, type Vec3 } from '@unitcell/numerics';
import { type ColorKey, type ColorScheme, keyOf, MOST_SECTORS, type Sector, sectorsOf } from './colors.ts';
import { ballRadius, type Scene } from './scene.ts';
import { type Ball, extentOf, middleOf } from './view.ts';

export interface DrawOptions {
  readonly hasLabels: boolean;
  readonly hasCell: boolean;
  readonly hasBonds: boolean;
  readonly hasPolyhedra: boolean;
  readonly scheme: ColorScheme;
  /** Keys of the legend that are switched off. */
  readonly hidden: ReadonlySet<string>;
}

export interface DrawnAtom extends Ball {
  /** Index in the scene. */
  readonly index: number;
  readonly sectors: readonly Sector[];
}

export interface DrawnFace {
  readonly corners: readonly Vec3[];
  readonly normal: Vec3;
  readonly color: string;
}

/** What of a scene is to be seen, in its colours: the one source of every way of drawing it. */
export interface Visible {
  readonly atoms: readonly DrawnAtom[];
  /** Half a bond each, in the colour of its atom. */
  readonly sticks: readonly { readonly from: Vec3; readonly to: Vec3; readonly color: string }[];
  readonly faces: readonly DrawnFace[];
  readonly edges: readonly (readonly [Vec3, Vec3])[];
  readonly cell: readonly (readonly [Vec3, Vec3])[];
}

/** Å */
export const BOND_RADIUS = 0.1;

export function visibleOf(
  scene: Scene,
  options: DrawOptions,
  keys: readonly ColorKey[],
  wyckoffs?: readonly string[],
): Visible {
  const colors = new Map(keys.map(({ name, color }) => [name, color]));
  const colorOf = (key: string): string => colors.get(key) ?? '#808080';
  const keyOfAtom = scene.atoms.map((atom) => keyOf(atom, options.scheme, scene, wyckoffs));
  const isShown = scene.atoms.map(
    (atom, index) =>
      !options.hidden.has(keyOfAtom[index] ?? '') &&
      (!atom.completes || options.hasPolyhedra || (atom.completes === 'bonds' && options.hasBonds)),
  );
  const atoms = scene.atoms.flatMap((atom, index): readonly DrawnAtom[] =>
    isShown[index]
      ? [
          {
            index,
            position: atom.position,
            radius: ballRadius(atom.element),
            sectors: sectorsOf(atom, options.scheme, colorOf, keyOfAtom[index] ?? ''),
          },
        ]
      : [],
  );
  const fillsGaps = (at: number): boolean => scene.fillsGaps[scene.atoms[at]?.site ?? -1] ?? false;
  const bonds = options.hasBonds
    ? scene.bonds.filter(
        ([a, b]) => isShown[a] && isShown[b] && !(options.hasPolyhedra && (fillsGaps(a) || fillsGaps(b))),
      )
    : [];
  const sticks = bonds.flatMap(([a, b]) => {
    const [from, to] = [scene.atoms[a]?.position, scene.atoms[b]?.position];
    if (!from || !to) return [];
    const middle = scale3(add3(from, to), 0.5);
    return [
      { from, to: middle, color: colorOf(keyOfAtom[a] ?? '') },
      { from: to, to: middle, color: colorOf(keyOfAtom[b] ?? '') },
    ];
  });
  const bodies = options.hasPolyhedra ? scene.polyhedra.filter(({ center }) => isShown[center]) : [];
  const corner = (vertices: readonly Vec3[], at: number): Vec3 => vertices[at] ?? [0, 0, 0];
  return {
    atoms,
    sticks,
    faces: bodies.flatMap(({ center, vertices, faces }) =>
      faces.map((face) => ({
        corners: face.corners.map((at) => corner(vertices, at)),
        normal: face.normal,
        color: colorOf(keyOfAtom[center] ?? ''),
      })),
    ),
    edges: bodies.flatMap(({ vertices, faces }) =>
      polyhedronEdges(faces).map(([a, b]) => [corner(vertices, a), corner(vertices, b)] as const),
    ),
    cell: options.hasCell ? scene.cellEdges : [],
  };
}

/** Everything that has to fit the stage: the balls, and the corners of the cells as points. */
export const ballsOf = ({ atoms, cell, faces }: Visible): readonly Ball[] => [
  ...atoms,
  ...cell.flatMap((edge) => edge.map((position) => ({ position, radius: 0 }))),
  ...faces.flatMap(({ corners }) => corners.map((position) => ({ position, radius: 0 }))),
];

export interface Batch {
  readonly kind: 'balls' | 'shared' | 'sticks' | 'faces' | 'edges' | 'cell';
  /** Name, numbers per vertex and values; bytes are shares of 255. */
  readonly attributes: readonly {
    readonly name: string;
    readonly size: number;
    readonly values: Float32Array | Uint8Array | Int8Array;
  }[];
  readonly indices: Uint32Array;
}

/** Red, green and blue, 0 to 255. */
export const channels = (color: string): readonly [number, number, number] => {
  const at = (place: number): number => Number.parseInt(color.slice(place, place + 2), 16) || 0;
  return [at(1), at(3), at(5)];
};

const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

const quadIndices = (count: number): Uint32Array =>
  Uint32Array.from(
    { length: 6 * count },
    (_, at) => 4 * Math.floor(at / 6) + ([0, 1, 2, 2, 1, 3][at % 6] ?? 0),
  );

/** Four times the same values, and the corners they stand at. */
const fourfold = (values: readonly number[]): number[] => [...values, ...values, ...values, ...values];
const cornersOf = (count: number): Int8Array =>
  Int8Array.from({ length: 8 * count }, (_, at) => CORNERS[Math.floor(at / 2) % 4]?.[at % 2] ?? 0);

function ballBatch(kind: 'balls' | 'shared', atoms: readonly DrawnAtom[]): Batch {
  const places = new Float32Array(16 * atoms.length);
  const most = kind === 'balls' ? 1 : MOST_SECTORS;
  const colors = Array.from({ length: most }, () => new Uint8Array(16 * atoms.length));
  for (const [at, { position, radius, sectors }] of atoms.entries()) {
    places.set(fourfold([...position, radius]), 16 * at);
    let end = 0;
    for (const [place, values] of colors.entries()) {
      const sector = sectors[Math.min(place, sectors.length - 1)];
      end += sectors[place]?.share ?? 0;
      values.set(fourfold([...channels(sector?.color ?? ''), Math.round(255 * Math.min(1, end))]), 16 * at);
    }
  }
  return {
    kind,
    attributes: [
      { name: 'place', size: 4, values: places },
      { name: 'corner', size: 2, values: cornersOf(atoms.length) },
      ...colors.map((values, at) => ({ name: `color${at}`, size: 4, values })),
    ],
    indices: quadIndices(atoms.length),
  };
}

function lineBatch(
  kind: 'sticks' | 'edges' | 'cell',
  lines: readonly { readonly from: Vec3; readonly to: Vec3; readonly color?: string }[],
): Batch {
  const spread = (pick: (line: (typeof lines)[number]) => Vec3): Float32Array =>
    Float32Array.from(lines.flatMap((line) => fourfold([...pick(line)])));
  return {
    kind,
    attributes: [
      { name: 'from', size: 3, values: spread(({ from }) => from) },
      { name: 'to', size: 3, values: spread(({ to }) => to) },
      { name: 'corner', size: 2, values: cornersOf(lines.length) },
      {
        name: 'color0',
        size: 4,
        values: Uint8Array.from(
          lines.flatMap(({ color }) => fourfold([...channels(color ?? '#000000'), 255])),
        ),
      },
    ],
    indices: quadIndices(lines.length),
  };
}

function faceBatch(faces: readonly DrawnFace[]): Batch {
  const drawn = faces.flatMap(({ corners, normal, color }) =>
    triangles({ corners: corners.map((_, at) => at), normal }).map((three) => ({
      points: three.map((at) => corners[at] ?? [0, 0, 0]),
      normal,
      color,
    })),
  );
  const rgba = drawn.flatMap(({ color }) =>
    Array.from({ length: 3 }, () => [...channels(color), 255]).flat(),
  );
  return {
    kind: 'faces',
    attributes: [
      { name: 'from', size: 3, values: Float32Array.from(drawn.flatMap(({ points }) => points.flat())) },
      {
        name: 'normal',
        size: 3,
        values: Float32Array.from(drawn.flatMap(({ normal }) => [...normal, ...normal, ...normal])),
      },
      { name: 'color0', size: 4, values: Uint8Array.from(rgba) },
    ],
    indices: Uint32Array.from({ length: 3 * drawn.length }, (_, at) => at),
  };
}

export interface Drawing {
  readonly batches: readonly Batch[];
  /** Å from the middle to the farthest surface: the depth of the picture. */
  readonly extent: number;
}

export function drawingOf(visible: Visible): Drawing {
  const lines = (edges: readonly (readonly [Vec3, Vec3])[]) => edges.map(([from, to]) => ({ from, to }));
  const [ordered, shared] = [
    visible.atoms.filter(({ sectors }) => sectors.length === 1),
    visible.atoms.filter(({ sectors }) => sectors.length > 1),
  ];
  const balls = ballsOf(visible);
  return {
    batches: [
      faceBatch(visible.faces),
      ballBatch('balls', ordered),
      ballBatch('shared', shared),
      lineBatch('sticks', visible.sticks),
      lineBatch('edges', lines(visible.edges)),
      lineBatch('cell', lines(visible.cell)),
    ].filter(({ indices }) => indices.length > 0),
    extent: extentOf(balls, middleOf(balls)),
  };
}
