/** Calculated energies carry no more than this: sources give five to eight decimals, and what floats add behind them is noise. */
import { roundTo } from '@unitcell/numerics';

const DECIMALS = 8;

/** An energy (eV per atom) or an amount as it is stored and answered. */
export const asFigure = (value: number): number => roundTo(value, DECIMALS);

/** The same of every number in a plain answer. */
export function asFigures<Answer>(answer: Answer): Answer {
  const figure = (value: unknown): unknown => {
    if (typeof value === 'number') return asFigure(value);
    if (Array.isArray(value)) return value.map(figure);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, figure(each)]));
  };
  return figure(answer) as Answer;
}
