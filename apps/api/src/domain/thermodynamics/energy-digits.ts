/** Calculated energies carry no more than this: sources give five to eight decimals, and what floats add behind them is noise. */
import { roundTo } from '@unitcell/numerics';

const DECIMALS = 8;

/** An energy (eV per atom) or an amount as it is stored and answered. */
export const asFigure = (value: number): number => roundTo(value, DECIMALS);
