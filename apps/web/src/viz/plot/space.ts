/** Projects 3D figures with the camera of plotly.js: positions on the drawing, and faces sorted from far to near. */
import { cross3, determinant3, dot3, subtract3, type Vec3 } from '@unitcell/numerics';
import type { Layout, PlotMarker } from 'plotly.js';
import { colorOn } from './chart-theme.ts';
import { type Box, numbersOf, type PlotFigure, type Series } from './plot-figure.ts';

/** An opaque face or line of the drawing. */
export interface Piece {
  /** px: the corners of a face, or the ends of a line. */
  readonly points: readonly (readonly [number, number])[];
  readonly color: string;
  /** Width of a line in px; undefined for a face. */
  readonly width?: number;
}

interface Deep extends Piece {
  readonly depth: number;
}

/** A surface of triangles with a number in each corner. */
export interface Mesh {
  readonly type: 'mesh3d';
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
  readonly i: readonly number[];
  readonly j: readonly number[];
  readonly k: readonly number[];
  readonly intensity: readonly number[];
  readonly cmin: number;
  readonly cmax: number;
  readonly colorscale: readonly (readonly [number, string])[];
  readonly lighting: { readonly ambient: number; readonly diffuse: number };
  readonly colorbar: object;
}

const isMesh = (series: object): series is Mesh => 'type' in series && series.type === 'mesh3d';

const LETTERS = ['x', 'y', 'z'] as const;
/** Half of the vertical field of view. */
const HALF_VIEW = Math.PI / 8;
/** Margin that plotly.js leaves around the scene, as a share of its extent. */
const ROOM = 1 / 32;
/**
 * Ratio of the drawn size in px to the size in the figure: plotly.js draws points in 3D larger than in the plane, and
 * lines thinner.
 */
const MARKER = 3;
const LINE = 0.5;
/** Lines are cut into pieces, so that a part of a line can be behind a face. */
const CUTS = 24;

const unit = (a: Vec3): Vec3 => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

const vectorOf = (place: Partial<Record<'x' | 'y' | 'z', number>> | undefined, otherwise: number): Vec3 => [
  place?.x ?? otherwise,
  place?.y ?? otherwise,
  place?.z ?? otherwise,
];

/** The ranges of the three axes: those in the layout, otherwise the range of all data. */
function rangesOf({ data, layout }: PlotFigure): readonly (readonly [number, number])[] {
  return LETTERS.map((letter) => {
    const [from, to] = numbersOf(layout.scene?.[`${letter}axis`]?.range);
    if (typeof from === 'number' && typeof to === 'number') return [from, to];
    const values = data.flatMap((series) =>
      numbersOf((series as Partial<Record<'x' | 'y' | 'z', unknown>>)[letter]),
    );
    const known = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const room = low === high ? 1 : ROOM * (high - low);
    return [low - room, high + room];
  });
}

type Eye = (place: Vec3) => Vec3;

/** From a position as the camera sees it to px from the upper left of a drawing of this size. */
export function pageOf({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): (seen: Vec3) => readonly [number, number] {
  const scale = height / 2 / Math.tan(HALF_VIEW);
  return ([right, up, back]) => [width / 2 - (scale * right) / back, height / 2 + (scale * up) / back];
}

/** The scene with its final ranges and proportions, and its camera axes: right, up, and towards the camera. */
export function eyeOn(figure: PlotFigure): { readonly scene: Partial<Layout['scene']>; readonly eye: Eye } {
  const { scene = {} } = figure.layout;
  const ranges = rangesOf(figure);
  const spans = ranges.map(([from, to]) => to - from);
  const middle = Math.cbrt(spans.reduce((product, span) => product * span, 1));
  const ratios = spans.map((span) => (scene.aspectmode === 'cube' ? 1 : span / middle));
  const camera = vectorOf(scene.camera?.eye, 1.25);
  const center = vectorOf(scene.camera?.center, 0);
  const back = unit(subtract3(camera, center));
  const right = unit(cross3([0, 0, 1], back));
  const up = cross3(back, right);
  const eye: Eye = (place) => {
    const inScene = place.map((value, at) => {
      const [from, to] = ranges[at] ?? [0, 1];
      return ((ratios[at] ?? 1) * (value - (from + to) / 2)) / (to - from);
    });
    const seen = subtract3([inScene[0] ?? 0, inScene[1] ?? 0, inScene[2] ?? 0], camera);
    return [dot3(seen, right), dot3(seen, up), dot3(seen, back)];
  };
  const axis = (at: 0 | 1 | 2) => ({ ...scene[`${LETTERS[at]}axis`], range: [...(ranges[at] ?? [])] });
  const [x = 1, y = 1, z = 1] = ratios;
  return {
    eye,
    scene: {
      ...scene,
      xaxis: axis(0),
      yaxis: axis(1),
      zaxis: axis(2),
      aspectmode: 'manual',
      aspectratio: { x, y, z },
    },
  };
}

const placesOf = (series: Pick<Mesh, 'x' | 'y' | 'z'>): readonly (Vec3 | null)[] => {
  const [xs, ys, zs] = LETTERS.map((letter) => numbersOf(series[letter]));
  return (xs ?? []).map((x, index) => {
    const [y, z] = [ys?.[index] ?? null, zs?.[index] ?? null];
    return x === null || y === null || z === null ? null : [x, y, z];
  });
};

/** The light of plotly.js comes from the upper right of the camera. */
const LIGHT: Vec3 = [Math.SQRT1_2, Math.SQRT1_2, 0];

const ORIGIN: Vec3 = [0, 0, 0];

/**
 * The sign by which the normals of the triangles must be multiplied to point outwards. 0 unless the triangles
 * form a closed surface and all have the same orientation.
 */
function outwardSign(triangles: readonly (readonly number[])[], corners: readonly Vec3[]): number {
  const pairs = triangles.flatMap(([a = 0, b = 0, c = 0]) => [
    [a, b],
    [b, c],
    [c, a],
  ]);
  const edges = new Set(pairs.map(([from, to]) => `${from} ${to}`));
  const isClosed = edges.size === pairs.length && pairs.every(([from, to]) => edges.has(`${to} ${from}`));
  if (!isClosed) return 0;
  const volume = triangles.reduce((sum, indices) => {
    const [a = ORIGIN, b = ORIGIN, c = ORIGIN] = indices.map((at) => corners[at]);
    return sum + determinant3([a, b, c]);
  }, 0);
  return Math.sign(volume);
}

/** The faces of a surface. Of a closed one only those towards the camera, because they hide the others. */
function facesOf(mesh: Mesh, eye: Eye, onPage: (seen: Vec3) => readonly [number, number]): readonly Deep[] {
  const corners = placesOf(mesh).map((place) => eye(place ?? ORIGIN));
  const triangles = mesh.i.map((first, index) => [first, mesh.j[index] ?? 0, mesh.k[index] ?? 0]);
  const outward = outwardSign(triangles, corners);
  return triangles.flatMap((indices) => {
    const [a = ORIGIN, b = ORIGIN, c = ORIGIN] = indices.map((at) => corners[at]);
    const normal = unit(cross3(subtract3(b, a), subtract3(c, a)));
    const away = dot3(normal, a);
    if (outward * away > 0) return [];
    // A face is lit on the side that faces the camera.
    const towards = away > 0 ? -1 : 1;
    const light = Math.min(
      1,
      mesh.lighting.ambient + mesh.lighting.diffuse * Math.max(0, towards * dot3(normal, LIGHT)),
    );
    const value = indices.reduce((sum, at) => sum + (mesh.intensity[at] ?? 0), 0) / 3;
    const share = (value - mesh.cmin) / (mesh.cmax - mesh.cmin);
    return {
      points: [a, b, c].map(onPage),
      color: colorOn(mesh.colorscale, share, light),
      depth: (a[2] + b[2] + c[2]) / 3,
    };
  });
}

function cutLines(
  series: Series,
  places: readonly (Vec3 | null)[],
  onPage: (seen: Vec3) => readonly [number, number],
): readonly Deep[] {
  const color = typeof series.line?.color === 'string' ? series.line.color : '';
  const width = LINE * (typeof series.line?.width === 'number' ? series.line.width : 2);
  return places.flatMap((from, index) => {
    const to = places[index + 1];
    if (!from || !to) return [];
    const at = (share: number): Vec3 => [
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
      from[2] + share * (to[2] - from[2]),
    ];
    return Array.from({ length: CUTS }, (_, cut): Deep => {
      const [start, end] = [at(cut / CUTS), at((cut + 1) / CUTS)];
      return { points: [onPage(start), onPage(end)], color, width, depth: (start[2] + end[2]) / 2 };
    });
  });
}

/**
 * Additional distance of labels from their points in 3D compared with the plane, px to the right and upwards: one em
 * each.
 */
function labelShifts(
  { textfont, textposition }: Series,
  count: number,
): readonly (readonly [number, number])[] {
  const size = typeof textfont?.size === 'number' ? textfont.size : 12;
  return Array.from({ length: count }, (_, index) => {
    const own: unknown = Array.isArray(textposition) ? textposition[index] : textposition;
    const [vertical, side] = typeof own === 'string' ? own.split(' ') : [];
    const right = side === 'right' ? 1 : side === 'left' ? -1 : 0;
    const up = vertical === 'top' ? 0.75 : vertical === 'bottom' ? -0.97 : 0;
    return [right * (size - 1), up * size - Math.sign(up)];
  });
}

/**
 * Projects a 3D figure to a flat figure, in px of the box: its series at their projected positions and, for a figure
 * with a surface, the faces and lines of the surface from back to front.
 */
export function flattened(
  { data }: PlotFigure,
  eye: Eye,
  box: Box,
): { readonly data: readonly Series[]; readonly pieces: readonly Piece[] } {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const onPage = pageOf({ width, height });
  const mesh = data.find(isMesh);
  const deep: Deep[] = [];
  const flat = data.flatMap((each): readonly Series[] => {
    const series = each as Series & Pick<Mesh, 'x' | 'y' | 'z'>;
    if (isMesh(each)) {
      deep.push(...facesOf(each, eye, onPage));
      const { cmin, cmax, colorscale, colorbar } = each;
      const marker = { cmin, cmax, colorscale, colorbar, showscale: true } as unknown as Partial<PlotMarker>;
      return [{ type: 'scatter', mode: 'markers', x: [], y: [], marker }];
    }
    const seen = placesOf(series).map((place) => place && eye(place));
    const parts = (series.mode ?? 'lines+markers').split('+');
    const isCut = mesh !== undefined && parts.includes('lines');
    if (isCut) deep.push(...cutLines(series, seen, onPage));
    const points = seen.map((place) => place && onPage(place));
    const at = (shifts: readonly (readonly [number, number])[]) => ({
      x: points.map((point, index) => point && point[0] + (shifts[index]?.[0] ?? 0)),
      y: points.map((point, index) => point && height - point[1] + (shifts[index]?.[1] ?? 0)),
    });
    const drawn = parts.filter((part) => part === 'markers' || (part === 'lines' && !isCut));
    const { size, ...marker } = series.marker ?? {};
    const thickness = typeof series.line?.width === 'number' ? series.line.width : 2;
    return [
      ...(drawn.length > 0
        ? [
            {
              ...series,
              ...at([]),
              type: 'scatter',
              mode: drawn.join('+') as Series['mode'],
              line: { ...series.line, width: LINE * thickness },
              marker: { ...marker, size: MARKER * (typeof size === 'number' ? size : 5) },
            } as Series,
          ]
        : []),
      ...(parts.includes('text')
        ? [
            {
              ...series,
              ...at(labelShifts(series, points.length)),
              type: 'scatter' as const,
              mode: 'text' as const,
              showlegend: false,
            },
          ]
        : []),
    ];
  });
  return { data: flat, pieces: deep.toSorted((a, b) => a.depth - b.depth) };
}
