/** The visible parts of a scene and their colours, used by every renderer. */
import { polyhedronEdges } from '@unitcell/crystal';
import { add3, scale3, type Vec3 } from '@unitcell/numerics';
import { type ColorKey, type ColorScheme, keyOf, type Sector, sectorsOf } from './colors.ts';
import { ballRadius, type Scene } from './scene.ts';
import type { Ball } from './view.ts';

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

/** A bond: each half in the colour of its atom. */
export interface Stick {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly colors: readonly [string, string];
}

/** Half a bond, from the atom to the middle. */
export interface HalfStick {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly color: string;
}

export function halvesOf({ from, to, colors: [one, two] }: Stick): readonly [HalfStick, HalfStick] {
  const middle = scale3(add3(from, to), 0.5);
  return [
    { from, to: middle, color: one },
    { from: to, to: middle, color: two },
  ];
}

export interface Visible {
  readonly atoms: readonly DrawnAtom[];
  readonly sticks: readonly Stick[];
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
  const bodies = options.hasPolyhedra ? scene.polyhedra.filter(({ center }) => isShown[center]) : [];
  // Bonds from the centre of a polyhedron to its corners are hidden inside it.
  const placeOf = (point: Vec3 | undefined): string => point?.map((x) => x.toFixed(2)).join(' ') ?? '';
  const inside = new Map(bodies.map(({ center, vertices }) => [center, new Set(vertices.map(placeOf))]));
  const isInside = (a: number, b: number): boolean =>
    inside.get(a)?.has(placeOf(scene.atoms[b]?.position)) ?? false;
  const bonds = options.hasBonds
    ? scene.bonds.filter(
        ([a, b]) =>
          isShown[a] &&
          isShown[b] &&
          !(options.hasPolyhedra && (fillsGaps(a) || fillsGaps(b))) &&
          !isInside(a, b) &&
          !isInside(b, a),
      )
    : [];
  const sticks = bonds.flatMap(([a, b]): readonly Stick[] => {
    const [from, to] = [scene.atoms[a]?.position, scene.atoms[b]?.position];
    if (!from || !to) return [];
    return [{ from, to, colors: [colorOf(keyOfAtom[a] ?? ''), colorOf(keyOfAtom[b] ?? '')] }];
  });
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

/** Everything that must fit on the stage: the balls, and the corners of the cells as points. */
export const ballsOf = ({ atoms, cell, faces }: Visible): readonly Ball[] => [
  ...atoms,
  ...cell.flatMap((edge) => edge.map((position) => ({ position, radius: 0 }))),
  ...faces.flatMap(({ corners }) => corners.map((position) => ({ position, radius: 0 }))),
];
