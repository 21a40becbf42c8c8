import highsLoader from 'highs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';
import { type LinearProgram, minimizeLinear } from './simplex.ts';

const highs = await highsLoader();

const linear = (coefficients: ArrayLike<number>): string =>
  Array.from(
    coefficients,
    (value, j) => `${value < 0 ? '-' : '+'} ${Math.abs(value).toFixed(15)} x${j}`,
  ).join(' ');

/** The same programme in the solver HiGHS, through its text format. */
function byHighs({ costs, rows, rightHandSide }: LinearProgram) {
  const constraints = rows.map((row, i) => ` c${i}: ${linear(row)} = ${rightHandSide[i].toFixed(15)}`);
  return highs.solve(`Minimize\n obj: ${linear(costs)}\nSubject To\n${constraints.join('\n')}\nEnd`);
}

/** Small whole numbers: ties and degenerate corners in nearly every programme; some have no solution. */
function randomProgram(seed: number): LinearProgram {
  const random = seededRandom(seed);
  const whole = (low: number, high: number) => low + Math.floor((high - low + 1) * random());
  const [m, n] = [whole(1, 5), whole(2, 14)];
  const rows = Array.from({ length: m }, () =>
    Array.from({ length: n }, () => whole(seed % 3 === 0 ? -2 : 0, 3)),
  );
  const x = Array.from({ length: n }, () => (random() < 0.6 ? 0 : whole(0, 4)));
  const isFeasible = seed % 5 !== 0;
  const rightHandSide = rows.map((row) =>
    isFeasible ? row.reduce((sum, a, j) => sum + a * x[j], 0) : whole(-4, 4),
  );
  return { costs: Array.from({ length: n }, () => whole(-3, 5)), rows, rightHandSide };
}

describe('minimizeLinear', () => {
  it('agrees with HiGHS on degenerate programmes, and duals certify the optimum', () => {
    const statuses = new Set<string>();
    for (let seed = 1; seed <= 150; seed++) {
      const program = randomProgram(seed);
      const oracle = byHighs(program);
      const found = minimizeLinear(program);
      statuses.add(found.status);
      const named: Record<string, string[]> = {
        optimal: ['Optimal'],
        infeasible: ['Infeasible', 'Primal infeasible or unbounded'],
        unbounded: ['Unbounded', 'Primal infeasible or unbounded'],
      };
      expect(named[found.status]).toContain(oracle.Status);
      if (found.status !== 'optimal' || oracle.Status !== 'Optimal') continue;
      expect(found.objective).toBeCloseTo(oracle.ObjectiveValue, 8);
      program.rows.forEach((row, i) => {
        expect(row.length).toBe(found.x.length);
        expect(Array.from(row).reduce((sum, a, j) => sum + a * found.x[j], 0)).toBeCloseTo(
          program.rightHandSide[i],
          8,
        );
      });
      found.x.forEach((value, j) => {
        const priced = program.rows.reduce((sum, row, i) => sum + row[j] * found.duals[i], 0);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(program.costs[j] - priced).toBeGreaterThan(-1e-9);
      });
      expect(found.duals.reduce((sum, y, i) => sum + y * program.rightHandSide[i], 0)).toBeCloseTo(
        found.objective,
        8,
      );
    }
    expect(statuses).toEqual(new Set(['optimal', 'infeasible', 'unbounded']));
  });

  it('does not cycle on Beale’s example, whose optimum is −1/20', () => {
    const result = minimizeLinear({
      costs: [-3 / 4, 150, -1 / 50, 6, 0, 0, 0],
      rows: [
        [1 / 4, -60, -1 / 25, 9, 1, 0, 0],
        [1 / 2, -90, -1 / 50, 3, 0, 1, 0],
        [0, 0, 1, 0, 0, 0, 1],
      ],
      rightHandSide: [0, 0, 1],
    });
    expect(result).toMatchObject({ status: 'optimal', objective: expect.closeTo(-1 / 20, 12) });
  });

  it('takes equations that follow from others, and contradictions', () => {
    const rows = [
      [1, 1],
      [2, 2],
    ];
    expect(minimizeLinear({ costs: [1, 2], rows, rightHandSide: [3, 6] })).toMatchObject({
      status: 'optimal',
      objective: 3,
    });
    expect(minimizeLinear({ costs: [1, 2], rows, rightHandSide: [3, 7] })).toEqual({ status: 'infeasible' });
  });

  it('refuses sizes that disagree and numbers that are not finite', () => {
    expect(() => minimizeLinear({ costs: [1], rows: [[1, 2]], rightHandSide: [1] })).toThrow(RangeError);
    expect(() => minimizeLinear({ costs: [Number.NaN], rows: [[1]], rightHandSide: [1] })).toThrow(/finite/);
  });
});
