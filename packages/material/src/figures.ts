/**
 * Figures that follow from what a source gives are rounded once, where they are calculated, to what it carries: cells have eight
 * decimals of a cell edge, energies five to eight, tensors one to four. What a source itself gives is never rounded.
 */
import { roundTo } from '@unitcell/numerics';

/** Decimals by unit. */
const DECIMALS = {
  Å: 6,
  '°': 5,
  'Å³': 6,
  'g/cm³': 6,
  'eV/atom': 8,
  V: 8,
  GPa: 4,
  'C/m²': 6,
  K: 2,
  'm/s': 2,
  '': 6,
} as const;

export type FigureUnit = keyof typeof DECIMALS;

/** @param unit '' for shares and constants without one */
export const figure = (value: number, unit: FigureUnit): number => roundTo(value, DECIMALS[unit]);

/** The same of each entry of a tensor. */
export const figures = <Rows extends readonly (readonly number[])[]>(rows: Rows, unit: FigureUnit): Rows =>
  rows.map((row) => row.map((value) => figure(value, unit))) as unknown as Rows;
