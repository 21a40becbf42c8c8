import { add3, IDENTITY3, type Mat3, type RandomSource, scale3, type Vec3 } from '@unitcell/numerics';

/** A change of basis with determinant ±1: `steps` random shears by up to ±3 and exchanges. */
export function randomUnimodular(random: RandomSource, steps: number): Mat3 {
  const rows: Vec3[] = [...IDENTITY3];
  for (let step = 0; step < steps; step++) {
    const from = Math.floor(3 * random());
    const to = (from + 1 + Math.floor(2 * random())) % 3;
    if (random() < 0.2) [rows[from], rows[to]] = [rows[to], rows[from]];
    else rows[to] = add3(rows[to], scale3(rows[from], Math.floor(7 * random()) - 3));
  }
  return [rows[0], rows[1], rows[2]];
}
