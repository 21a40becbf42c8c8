/**
 * A tetrahedron of dozens of phases is a hair-ball: its edges are drawn, and the tie lines of one phase, with the names of what it
 * is in equilibrium with.
 */
import type { Diagram, Phase } from '../view-model.ts';

export interface Spot3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Places this near each other are one, in units of the edge. */
const SAME_PLACE = 1e-6;

const isAt = (a: Spot3, b: Spot3): boolean =>
  Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.z - b.z) < SAME_PLACE;

const endsOf = ({ x, y, z }: Diagram['lines'][number]): readonly [Spot3, Spot3] => {
  const at = (i: number): Spot3 => ({ x: x.at(i) ?? 0, y: y.at(i) ?? 0, z: z?.at(i) ?? 0 });
  return [at(0), at(-1)];
};

/** The six edges, corner to corner. */
export function edges({ corners }: Diagram): (Spot3 | null)[] {
  const spots = corners.map(({ x, y, z }): Spot3 => ({ x, y, z: z ?? 0 }));
  return spots.flatMap((from, i) => spots.slice(i + 1).flatMap((to) => [from, to, null]));
}

/** The tie lines that end at a phase, and the stable phases at their other ends. */
export function tiesOf(
  { lines, stable }: Diagram,
  phase: Phase | null,
): { readonly lines: (Spot3 | null)[]; readonly partners: readonly Phase[] } {
  if (phase === null) return { lines: [], partners: [] };
  const ties = lines.map(endsOf).filter((ends) => ends.some((end) => isAt(end, phase)));
  const others = ties.map(([from, to]) => (isAt(from, phase) ? to : from));
  return {
    lines: ties.flatMap(([from, to]) => [from, to, null]),
    partners: stable.filter((other) => others.some((end) => isAt(end, other))),
  };
}
