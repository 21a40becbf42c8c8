/** The overlay: names of atoms and axes, marks of selected atoms, distances and angles. */
import {
  cross3,
  dot3,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { Scene } from './scene.ts';
import { place, type Stage, type View } from './view.ts';
import type { DrawnAtom } from './visible.ts';

// Distances between atoms in Å, and angles in degrees.

export const distanceBetween = (a: Vec3, b: Vec3): number => norm3(subtract3(a, b));

/** Angle at `b`, degrees. */
export function angleAt(a: Vec3, b: Vec3, c: Vec3): number {
  const [u, v] = [subtract3(a, b), subtract3(c, b)];
  return (Math.atan2(norm3(cross3(u, v)), dot3(u, v)) * 180) / Math.PI;
}

/** Maximum number of labels; more would hide the crystal. */
export const LABEL_BUDGET = 400;
/** Length of the axis arrows in px, on wide and on narrow stages. */
const TRIAD_PX = [34, 24] as const;
const NARROW_PX = 480;
const FONT = '"Inter Variable", "Segoe UI", "Noto Sans", "Liberation Sans", Arial, sans-serif';

export interface Writing {
  readonly scene: Scene;
  readonly atoms: readonly DrawnAtom[];
  readonly hasLabels: boolean;
  /** Indices of the selected atoms, in the order of selection. */
  readonly chosen: readonly number[];
  readonly colors: { readonly ink: string; readonly ground: string; readonly accent: string };
}

type Context = CanvasRenderingContext2D;

function write(context: Context, text: string, x: number, y: number, ground: string, ink: string): void {
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

/** Size in px of the square in the lower left corner that holds the arrows of the axes and their names. */
export const triadRoom = (stage: Stage): number => 2 * TRIAD_PX[stage.width < NARROW_PX ? 1 : 0] + 44;

/** True if only the axes are drawn. */
export const isTriadOnly = ({ hasLabels, chosen }: Pick<Writing, 'hasLabels' | 'chosen'>): boolean =>
  !hasLabels && chosen.length === 0;

/** a, b and c as arrows in the lower left corner, the farthest first. */
function drawTriad(context: Context, axes: Mat3, rotation: Mat3, stage: Stage, { colors }: Writing): void {
  const arm = TRIAD_PX[stage.width < NARROW_PX ? 1 : 0];
  const hub = { x: arm + 18, y: stage.height - arm - 18 };
  const hues = ['#c2412d', '#2a8a5b', '#2f6fb3'];
  const arrows = axes
    .map((axis, index) => {
      const [x, y, z] = rowTimesMatrix3(scale3(axis, 1 / norm3(axis)), transpose3(rotation));
      return { name: 'abc'[index] ?? '', hue: hues[index] ?? '', x, y, z };
    })
    .sort((one, two) => one.z - two.z);
  context.font = `italic 600 13px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineCap = 'round';
  for (const { name, hue, x, y } of arrows) {
    const [ex, ey] = [hub.x + arm * x, hub.y - arm * y];
    const length = Math.hypot(x, y);
    context.strokeStyle = hue;
    context.fillStyle = hue;
    context.lineWidth = 2.2;
    context.beginPath();
    context.moveTo(hub.x, hub.y);
    context.lineTo(ex, ey);
    context.stroke();
    if (length > 0.12) {
      const [ux, uy] = [x / length, -y / length];
      context.beginPath();
      context.moveTo(ex + 6 * ux, ey + 6 * uy);
      context.lineTo(ex - 2 * ux - 3.6 * uy, ey - 2 * uy + 3.6 * ux);
      context.lineTo(ex - 2 * ux + 3.6 * uy, ey - 2 * uy - 3.6 * ux);
      context.fill();
      write(context, name, ex + 14 * ux, ey + 14 * uy, colors.ground, colors.ink);
    } else {
      context.beginPath();
      context.arc(hub.x, hub.y, 4, 0, 2 * Math.PI);
      context.fill();
      write(context, name, hub.x - 11, hub.y + 10, colors.ground, colors.ink);
    }
  }
}

function drawLabels(context: Context, view: View, stage: Stage, { scene, atoms, colors }: Writing): void {
  const placed = atoms
    .filter(({ index }) => !scene.atoms[index]?.completes)
    .slice(0, LABEL_BUDGET)
    .map(({ index, position, radius }) => ({
      text: scene.atoms[index]?.label ?? '',
      radius,
      ...place(view, position),
    }))
    .sort((one, two) => one.depth - two.depth);
  context.font = `600 11px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const [far = 0, near = 1] = [placed[0]?.depth, placed.at(-1)?.depth];
  for (const { text, x, y, depth } of placed) {
    // Labels farther back are paler, like the atoms.
    context.globalAlpha = near > far ? 0.35 + 0.65 * ((depth - far) / (near - far)) : 1;
    write(context, text, stage.width / 2 + x, stage.height / 2 - y, colors.ground, colors.ink);
  }
  context.globalAlpha = 1;
}

/** `2.01 Å` between two atoms, `98.7°` at the middle one of three. */
export function measureText(positions: readonly Vec3[]): string {
  const [a, b, c] = positions;
  if (a && b && c) return `${angleAt(a, b, c).toFixed(1)}°`;
  return a && b ? `${distanceBetween(a, b).toFixed(3)} Å` : '';
}

function drawChosen(context: Context, view: View, stage: Stage, writing: Writing): void {
  const { scene, chosen, atoms, colors } = writing;
  if (chosen.length === 0) return;
  const radii = new Map(atoms.map(({ index, radius }) => [index, radius]));
  const points = chosen.flatMap((index) => {
    const atom = scene.atoms[index];
    if (!atom) return [];
    const at = place(view, atom.position);
    const [x, y] = [stage.width / 2 + at.x, stage.height / 2 - at.y];
    return [{ x, y, r: (radii.get(index) ?? 0.4) * at.scale, position: atom.position }];
  });
  context.strokeStyle = colors.accent;
  context.lineWidth = 2;
  context.setLineDash([5, 4]);
  context.beginPath();
  for (const [at, { x, y }] of points.entries())
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  context.stroke();
  context.setLineDash([]);
  for (const { x, y, r } of points) {
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x, y, r + 3.5, 0, 2 * Math.PI);
    context.stroke();
  }
  const [first, second, third] = points;
  if (!first || !second) return;
  const at = third
    ? { x: second.x, y: second.y - second.r - 16 }
    : { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 - 10 };
  context.font = `600 14px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  write(context, measureText(points.map(({ position }) => position)), at.x, at.y, colors.ground, colors.ink);
}

/** Draws on a cleared canvas whose unit is a pixel of the stage. */
export function drawOverlay(context: Context, view: View, stage: Stage, writing: Writing): void {
  if (writing.hasLabels) drawLabels(context, view, stage, writing);
  drawTriad(context, writing.scene.axes, view.rotation, stage, writing);
  drawChosen(context, view, stage, writing);
}
