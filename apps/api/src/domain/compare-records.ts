/** Compares the figures of several sources of one material, property by property. */
import type { ComparedFigure, ComparedProperty, RecordComparison } from '@unitcell/contract/matdata';
import { COMPARED_OF_SOURCES, fields } from '@unitcell/material';
import { asFigure } from './thermodynamics/phase-hull.ts';

interface Compared {
  readonly unit: string;
  /** Limit above which a difference is marked, in the unit or as a fraction of the mean. */
  readonly bound: number;
  readonly isRelative?: boolean;
}

/**
 * Typical differences of careful work on one crystal: cell lengths by common functionals and experiment
 * differ by up to 2 %; energies of one scale only by convergence; moduli and permittivities of one functional
 * by about 15 % (de Jong et al., Sci. Data 2, 150009 (2015); Petousis et al., Sci. Data 4, 160134 (2017)).
 */
const FIGURES: Readonly<Record<ComparedFigure, Compared>> = {
  volume_per_atom: { unit: 'Å³/atom', bound: 0.06, isRelative: true },
  formation_energy: { unit: 'eV/atom', bound: 0.025 },
  energy: { unit: 'eV/atom', bound: 0.025 },
  band_gap: { unit: 'eV', bound: 0.3 },
  magnetization_per_atom: { unit: 'μB/atom', bound: 0.05 },
  k_vrh: { unit: 'GPa', bound: 0.15, isRelative: true },
  g_vrh: { unit: 'GPa', bound: 0.15, isRelative: true },
  epsilon_electronic: { unit: '', bound: 0.15, isRelative: true },
  epsilon_total: { unit: '', bound: 0.15, isRelative: true },
};

/** All other numeric fields use the limit for moduli. */
const COMPARED: Readonly<Partial<Record<ComparedProperty, Compared>>> = {
  ...FIGURES,
  ...Object.fromEntries(
    COMPARED_OF_SOURCES.map((name) => {
      const { column, unit } = fields[name];
      return [column, { unit, bound: 0.15, isRelative: true }];
    }),
  ),
};

const isCompared = (name: string): name is ComparedProperty => name in COMPARED;

/** @param records figures by name; names of energies end with a colon and the scale */
export function compareRecords(records: readonly Readonly<Record<string, number>>[]): RecordComparison[] {
  const names = [...new Set(records.flatMap((values) => Object.keys(values)))];
  const order = Object.keys(COMPARED);
  return names
    .flatMap((name): RecordComparison[] => {
      const colon = name.indexOf(':');
      const property = colon === -1 ? name : name.slice(0, colon);
      const compared = isCompared(property) && COMPARED[property];
      if (!compared) return [];
      const { unit, bound, isRelative = false } = compared;
      const values = records.map((record) => record[name] ?? null);
      const known = values.filter((value) => value !== null);
      const range = Math.max(...known) - Math.min(...known);
      const mean = known.reduce((sum, value) => sum + Math.abs(value), 0) / known.length;
      const spread = isRelative && mean > 0 ? range / mean : range;
      return [
        {
          property,
          of: colon === -1 ? '' : name.slice(colon + 1),
          unit,
          values: values.map((value) => value && asFigure(value)),
          spread: asFigure(spread),
          bound,
          is_relative: isRelative,
          is_disagreement: spread > bound,
        },
      ];
    })
    .sort((a, b) => order.indexOf(a.property) - order.indexOf(b.property) || (a.of < b.of ? -1 : 1));
}
