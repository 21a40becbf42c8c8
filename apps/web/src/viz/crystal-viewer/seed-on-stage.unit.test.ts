/** Every compound of the seed, as its page shows it, on a desk and on a phone: no atom lies outside the stage. */
import { readFileSync } from 'node:fs';
import { fromPymatgenDict, type PymatgenStructure } from '@unitcell/crystal';
import { catalogueCells } from '@unitcell/symmetry';
import { expect, it } from 'vitest';
import { colorKeys } from './colors.ts';
import { buildScene } from './scene.ts';
import { fitView, place, type Projection, standardTurn, turnAlong } from './view.ts';
import { ballsOf, visibleOf } from './visible.ts';

const SEED = new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url);
/** px of the stage at windows 1440 and 360 px wide. */
const STAGES = { desk: { width: 760, height: 480 }, phone: { width: 326, height: 300 } } as const;
const PROJECTIONS: readonly Projection[] = ['orthographic', 'perspective'];

/** Names of the stages and projections on which something of the crystal sticks out. */
function sticksOut(id: number, structure: PymatgenStructure): readonly string[] {
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
  const turns = [standardTurn(scene.axes), turnAlong(scene.axes, [1, 0, 0])];
  return Object.entries(STAGES).flatMap(([name, stage]) =>
    PROJECTIONS.flatMap((projection) =>
      turns.flatMap((turn) => {
        const view = fitView(balls, turn, stage, projection);
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

it('no atom of any compound lies outside the stage', { timeout: 600_000 }, () => {
  const compounds = readFileSync(SEED, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): { struct_id: number; structure: PymatgenStructure } => JSON.parse(line));
  expect(compounds.length).toBeGreaterThan(1000);
  expect(compounds.flatMap(({ struct_id: id, structure }) => sticksOut(id, structure))).toEqual([]);
});
