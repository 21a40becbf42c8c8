/** Linear programs solved by HiGHS, as an independent check of the hulls. */
import highsLoader from 'highs';

export interface LinearProgram {
  readonly costs: readonly number[];
  /** One row of coefficients per equation. */
  readonly rows: readonly (readonly number[])[];
  readonly rightHandSide: readonly number[];
}

const highs = await highsLoader();

const linear = (coefficients: readonly number[]): string =>
  coefficients.map((value, j) => `${value < 0 ? '-' : '+'} ${Math.abs(value).toFixed(15)} x${j}`).join(' ');

/** The smallest Σ costs · x with x ≥ 0 and rows · x = rightHandSide; NaN when HiGHS finds no optimum. */
export function minimumByHighs({ costs, rows, rightHandSide }: LinearProgram): number {
  if (rightHandSide.length !== rows.length || rows.some((row) => row.length !== costs.length))
    throw new RangeError(
      `${rows.length} rows, ${rightHandSide.length} right-hand sides: one each is needed, and ${costs.length} coefficients a row`,
    );
  const constraints = rows.map((row, i) => ` c${i}: ${linear(row)} = ${rightHandSide[i]?.toFixed(15)}`);
  const program = `Minimize\n obj: ${linear(costs)}\nSubject To\n${constraints.join('\n')}\nEnd`;
  const { Status, ObjectiveValue } = highs.solve(program, {
    primal_feasibility_tolerance: 1e-10,
    dual_feasibility_tolerance: 1e-10,
  });
  return Status === 'Optimal' ? ObjectiveValue : Number.NaN;
}
