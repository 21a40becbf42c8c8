// @vitest-environment node
/** Crystals of the seed data as their pages show them, on a desktop and on a phone. */
import { readFileSync } from 'node:fs';
import { fromPymatgenDict, type PymatgenStructure } from '@unitcell/crystal';
import { catalogueCells } from '@unitcell/symmetry';
import { expect, it } from 'vitest';
import { colorKeys } from './colors.ts';
import { buildScene } from './scene.ts';
import { fitView, place, type Projection, standardRotation, rotationAlong } from './view.ts';
import { ballsOf, visibleOf } from './visible.ts';

const SEED = new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url);
/** Tests every crystal in nightly runs, otherwise one of `every` crystals. */
const every = process.env.NIGHTLY ? 1 : 15;
/** Size of the stage in px, in windows that are 1440 and 360 px wide. */
const STAGES = { desktop: { width: 760, height: 480 }, phone: { width: 326, height: 300 } } as const;
const PROJECTIONS: readonly Projection[] = ['orthographic', 'perspective'];

/** Names of the stages and projections in which part of the crystal is outside the view. */
function overflowOf(id: number, structure: PymatgenStructure): readonly string[] {
  const { conventional } = catalogueCells(fromPymatgenDict(structure));
  const scene = buildScene(conventional.structure);
  const options = {
    ...scene.suggests,
    hasLabels: false,
    hasCell: true,
    scheme: 'element',
    hidden: new Set<string>(),
  } as const;
  const visible = visibleOf(scene, options, colorKeys(scene, 'element'));
  const balls = ballsOf(visible);
  expect(visible.atoms.length).toBeGreaterThan(0);
  const rotations = [standardRotation(scene.axes), rotationAlong(scene.axes, [1, 0, 0])];
  return Object.entries(STAGES).flatMap(([name, stage]) =>
    PROJECTIONS.flatMap((projection) =>
      rotations.flatMap((rotation) => {
        const view = fitView(balls, rotation, stage, projection);
        const isInside = visible.atoms.every(({ position, radius }) => {
          const { x, y, scale } = place(view, position);
          return (
            Math.abs(x) + radius * scale <= stage.width / 2 &&
            Math.abs(y) + radius * scale <= stage.height / 2
          );
        });
        return isInside ? [] : [`${id} on the ${name}, ${projection}`];
      }),
    ),
  );
}

it(`crystal 1 of every ${every} of the seed fits completely into the view`, { timeout: 600_000 }, () => {
  const lines = readFileSync(SEED, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1000);
  const outside = lines
    .filter((_, index) => index % every === 0)
    .map((line): { struct_id: number; structure: PymatgenStructure } => JSON.parse(line))
    .flatMap(({ struct_id: id, structure }) => overflowOf(id, structure));
  expect(outside).toEqual([]);
});
