import { determinant3, IDENTITY3, type Mat3, multiply3, seededRandom, transpose3 } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { polarRotation } from './polar-rotation.ts';

const random = seededRandom(1860);
/** Rotation by a random angle about a random axis, from a random unit quaternion. */
function randomRotation(): Mat3 {
  const raw = Array.from({ length: 4 }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  const [w = 0, x = 0, y = 0, z = 0] = raw.map((value) => value / length);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
const largest = (a: Mat3, b: Mat3): number =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i][j]))));

it('polarRotation recovers rotation and stretch from their product, also for reflections', () => {
  for (let round = 0; round < 200; round++) {
    const sign = round % 2 === 0 ? 1 : -1;
    const [turn, axes] = [randomRotation(), randomRotation()];
    const rotation = turn.map((row) => row.map((value) => sign * value)) as unknown as Mat3;
    const stretches = [0, 1, 2].map(() => 0.7 + random());
    const diagonal = IDENTITY3.map((row, i) => row.map((value) => value * stretches[i])) as unknown as Mat3;
    const stretch = multiply3(multiply3(transpose3(axes), diagonal), axes);
    const found = polarRotation(multiply3(rotation, stretch));
    expect(largest(found.rotation, rotation)).toBeLessThan(1e-12);
    expect(found.strain).toBeCloseTo(Math.max(...stretches.map((value) => Math.abs(value - 1))), 12);
    expect(largest(multiply3(found.rotation, transpose3(found.rotation)), IDENTITY3)).toBeLessThan(1e-14);
    expect(determinant3(found.rotation)).toBeCloseTo(sign, 13);
  }
});
