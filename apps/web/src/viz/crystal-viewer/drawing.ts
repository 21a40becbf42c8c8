/**
 * The visible scene as lists of vertices: balls, sticks, faces and lines, with four vertices per quad. Instancing is
 * not used, because software renderers treat every instance as a separate call (docs/contributing/adr/0015).
 */
import { triangles } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { channels, MOST_SECTORS } from './colors.ts';
import { extentOf, middleOf } from './view.ts';
import { ballsOf, type DrawnAtom, type DrawnFace, type Stick, type Visible } from './visible.ts';

export interface Batch {
  readonly kind: 'balls' | 'shared' | 'sticks' | 'faces' | 'edges' | 'cell';
  /** Vertex attributes: name, numbers per vertex, and values. Byte values are shares of 255. */
  readonly attributes: readonly {
    readonly name: string;
    readonly size: number;
    readonly values: Float32Array | Uint8Array | Int8Array;
  }[];
  readonly indices: Uint32Array;
}

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

/** Repeats the values for the four corners of a square. */
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

interface Line {
  readonly from: Vec3;
  readonly to: Vec3;
}

function lineBatch(
  kind: 'sticks' | 'edges' | 'cell',
  lines: readonly Line[],
  colors: readonly { readonly name: string; readonly of: (at: number) => string }[] = [],
): Batch {
  const [starts, ends] = [new Float32Array(12 * lines.length), new Float32Array(12 * lines.length)];
  const tints = colors.map(() => new Uint8Array(16 * lines.length));
  for (const [at, { from, to }] of lines.entries()) {
    starts.set(fourfold(from), 12 * at);
    ends.set(fourfold(to), 12 * at);
    for (const [place, { of }] of colors.entries())
      tints[place]?.set(fourfold([...channels(of(at)), 255]), 16 * at);
  }
  return {
    kind,
    attributes: [
      { name: 'from', size: 3, values: starts },
      { name: 'to', size: 3, values: ends },
      { name: 'corner', size: 2, values: cornersOf(lines.length) },
      ...tints.map((values, place) => ({ name: colors[place]?.name ?? '', size: 4, values })),
    ],
    indices: quadIndices(lines.length),
  };
}

const stickBatch = (sticks: readonly Stick[]): Batch =>
  lineBatch(
    'sticks',
    sticks,
    ([0, 1] as const).map((end) => ({ name: `color${end}`, of: (at) => sticks[at]?.colors[end] ?? '' })),
  );

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
  /** Å from the centre to the farthest surface. It determines the depth range of the drawing. */
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
      ballBatch('balls', ordered),
      ballBatch('shared', shared),
      stickBatch(visible.sticks),
      lineBatch('edges', lines(visible.edges)),
      lineBatch('cell', lines(visible.cell)),
      // Drawn last, because translucent faces must be painted over what lies behind them.
      faceBatch(visible.faces),
    ].filter(({ indices }) => indices.length > 0),
    extent: extentOf(balls, middleOf(balls)),
  };
}
