/**
 * exp, sin and cos from additions and multiplications only. The language does not define the last digits of Math.exp
 * and Math.sin; with these functions the same structure gives the same bits everywhere.
 */
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const HALF_PI_HIGH = 1.57079632673412561417;
const HALF_PI_LOW = 6.07710050650619224932e-11;

/** Powers 2^k for k from −1022 to 1023. */
const POWERS = Float64Array.from({ length: 2046 }, () => 1);
for (let k = 1; k <= 1023; k++) POWERS[1022 + k] = POWERS[1021 + k] * 2;
for (let k = 1; k <= 1022; k++) POWERS[1022 - k] = POWERS[1023 - k] / 2;

/** The relative error is below 1e-15 for |x| < 700; beyond, the result is 0 or infinity. */
export function exp(x: number): number {
  if (x > 709) return Number.POSITIVE_INFINITY;
  if (x < -708) return 0;
  const k = Math.round(x * Math.LOG2E);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 13; n > 0; n--) sum = 1 + (r / n) * sum;
  return sum * POWERS[1022 + k];
}

/** Returns [sin x, cos x] with an absolute error below 1e-15 for |x| < 1000. */
export function sinCos(x: number): readonly [number, number] {
  const quarter = Math.round(x / HALF_PI_HIGH);
  const r = x - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW;
  const square = r * r;
  let sine = 1;
  for (let n = 16; n > 0; n -= 2) sine = 1 - (square / (n * (n + 1))) * sine;
  sine *= r;
  let cosine = 1;
  for (let n = 17; n > 0; n -= 2) cosine = 1 - (square / (n * (n + 1))) * cosine;
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return [sine, cosine];
    case 1:
      return [cosine, -sine];
    case 2:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}
