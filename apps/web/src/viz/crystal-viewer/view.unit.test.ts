import { dot3, type Mat3, norm3, rowTimesMatrix3, scale3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  type Ball,
  fitView,
  isNearlySameCell,
  pickBall,
  place,
  type Projection,
  standardRotation,
  rotationAlong,
  rotatedBy,
} from './view.ts';
import { Pace } from './stage-controller.ts';

const AXES: Mat3 = [
  [4.1, 0, 0],
  [-2.05, 3.55, 0],
  [0.4, -0.3, 28.6],
];
const STAGES = [
  { width: 1024, height: 520 },
  { width: 326, height: 380 },
];
const PROJECTIONS: readonly Projection[] = ['orthographic', 'perspective'];

const random = seededRandom(7);
const spread = (size: number): number => size * (random() - 0.5);
const cloud = (size: Vec3): readonly Ball[] =>
  Array.from({ length: 40 }, () => ({
    position: [spread(size[0]) + 30, spread(size[1]), spread(size[2])],
    radius: 0.2 + random(),
  }));

/** The largest |x|/(w/2) or |y|/(h/2) of any surface of the balls; 1 at the edge of the stage. */
function reach(
  balls: readonly Ball[],
  view: ReturnType<typeof fitView>,
  stage: (typeof STAGES)[number],
): number {
  return Math.max(
    ...balls.map(({ position, radius }) => {
      const { x, y, scale } = place(view, position);
      return Math.max(
        (Math.abs(x) + radius * scale) / (stage.width / 2),
        (Math.abs(y) + radius * scale) / (stage.height / 2),
      );
    }),
  );
}

it('a cell grown by a few per cent counts as nearly the same, but a different cell of the crystal does not', () => {
  const [a, b, c] = AXES;
  const grown = AXES.map((axis) => scale3(axis, 1.05)) as unknown as Mat3;
  expect(isNearlySameCell(AXES, grown)).toBe(true);
  expect(isNearlySameCell(AXES, [b, a, c])).toBe(false);
});

describe('fitView', () => {
  it.each(PROJECTIONS)('fits any balls into any view and fills one direction (%s)', (projection) => {
    for (const size of [
      [30, 3, 3],
      [3, 3, 30],
      [10, 10, 10],
      [0, 0, 0],
    ] as const)
      for (const stage of STAGES) {
        const balls = cloud(size);
        const rotation = rotatedBy(standardRotation(AXES), spread(360), spread(360));
        const used = reach(balls, fitView(balls, rotation, stage, projection), stage);
        expect(used).toBeLessThanOrEqual(1);
        expect(used).toBeGreaterThan(0.75);
      }
  });

  it('perspective draws nearer atoms larger', () => {
    const balls = cloud([10, 10, 10]);
    const view = fitView(balls, standardRotation(AXES), { width: 500, height: 500 }, 'perspective');
    const towardsEye = view.rotation[2];
    const near = place(
      view,
      [0, 1, 2].map((axis) => view.pivot[axis]! + towardsEye[axis]!) as unknown as Vec3,
    );
    expect(near.scale).toBeGreaterThan(view.scale);
    expect(near.depth).toBeCloseTo(1, 10);
  });
});

describe('rotations', () => {
  /** Largest deviation of the rows from three orthogonal unit vectors. */
  const flaw = (rotation: Mat3): number =>
    Math.max(
      ...rotation.flatMap((row, i) =>
        rotation.map((other, j) => Math.abs(dot3(row, other) - (i === j ? 1 : 0))),
      ),
    );

  it('stay orthonormal after many rotations', () => {
    let rotation = standardRotation(AXES);
    for (let step = 0; step < 5000; step++) rotation = rotatedBy(rotation, spread(40), spread(40));
    expect(flaw(rotation)).toBeLessThan(1e-10);
  });

  it.each([[[1, 0, 0]], [[0, 1, 0]], [[0, 0, 1]], [[1, -1, 2]], [[0, 0, -1]]] as const)(
    'along %j point the direction at the viewer',
    (uvw) => {
      const rotation = rotationAlong(AXES, uvw);
      expect(flaw(rotation)).toBeLessThan(1e-10);
      const direction = rowTimesMatrix3(uvw, AXES);
      expect(dot3(rotation[2], direction)).toBeCloseTo(norm3(direction), 8);
      // c never points down; b is vertical in a view along c.
      expect(dot3(rotation[1], AXES[2])).toBeGreaterThan(-1e-9);
    },
  );

  it('have c upwards by default', () => {
    const [x, y] = standardRotation(AXES);
    expect(Math.abs(dot3(x, AXES[2]))).toBeLessThan(1e-9);
    expect(dot3(y, AXES[2])).toBeGreaterThan(0.9 * norm3(AXES[2]));
  });
});

describe('pickBall', () => {
  const front: Ball = { position: [0, 0, 5], radius: 1 };
  const back: Ball = { position: [0.5, 0, 0], radius: 1 };
  const upright: Mat3 = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const view = { rotation: upright, pivot: [0, 0, 0], shift: [0, 0], scale: 10, distance: Infinity } as const;

  it('picks the nearest ball, a farther ball where it is visible, and nothing beside the balls', () => {
    expect(pickBall([back, front], view, 0, 0)).toBe(1);
    expect(pickBall([back, front], view, 12, 0)).toBe(0);
    expect(pickBall([back, front], view, 40, 0)).toBeUndefined();
  });

  it('tolerates touches slightly beside a ball', () => {
    expect(pickBall([back, front], view, 22, 0, 10)).toBe(0);
  });
});

/** Moves the crystal again directly after each frame; all frames take `frameMs`. */
function turned(pace: Pace, frameMs: number, frames: number): void {
  for (let at = 0; at < frames; at++) {
    pace.ask(at * frameMs);
    pace.begin((at + 1) * frameMs);
  }
}

it.each([40, 400, 4000])('the viewer reduces the resolution step by step if frames take %i ms', (frameMs) => {
  const pace = new Pace(3);
  turned(pace, frameMs, 1);
  expect(pace.level).toBe(0);
  turned(pace, frameMs, 10);
  expect(pace.level).toBe(3);
});

it('the viewer keeps the resolution if frames are fast, whatever the pauses between moves', () => {
  const pace = new Pace(3);
  turned(pace, 16, 100);
  for (const pause of [200, 1000, 60_000]) {
    pace.ask(10_000 + pause);
    expect(pace.begin(10_016 + pause)).toBe(160);
  }
  expect(pace.level).toBe(-1);
});

it('the wait for a frame begins with the first of several moves', () => {
  const pace = new Pace(3);
  for (const now of [0, 10, 20, 30]) pace.ask(now);
  expect(pace.begin(300)).toBe(600);
  expect(pace.level).toBe(0);
});
