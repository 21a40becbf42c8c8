/**
 * A row of `compounds.csv` from a computed structure: conventional cell, asymmetric unit, energy, gap, sources.
 */
import {
  asymmetricUnit,
  compositionOf,
  density,
  displayFormula,
  type LatticeParameters,
  latticeParameters,
  latticeVectorsFromParameters,
  orderedSite,
  type Structure,
} from '@unitcell/crystal';
import { analyzeSymmetry } from '@unitcell/symmetry';
import { buildStructure, operationsOf } from '../build-structure.ts';
import { checkStructure } from '../check-structure.ts';
import { compoundFrom } from '../compound.ts';
import type { CsvRecord } from '../csv.ts';
import type { ComputedEntry } from './read-facts.ts';

/** Å, widest first: the tolerance of the Materials Project, then what is left when the cell does not survive idealisation. */
const TOLERANCES = [0.1, 0.01, 0.001] as const;

/** Coordinates this close to a simple fraction are that fraction. */
const FRACTION_TOLERANCE = 3e-5;
const DENOMINATORS = [2, 3, 4, 6, 8] as const;

/** Atoms may drift by more than the tolerance of the search when the cell is made exact; this many times as much. */
const WIDEST_DRIFT = 3;

const ENERGY_NOTES: Readonly<Record<NonNullable<ComputedEntry['es']>, string>> = {
  id: 'Materials Project 2018 by mp-id',
  cell: 'Materials Project 2018 by unique cell',
  near: 'Materials Project 2018 by cell; polymorphs within 2 meV/atom',
  comp: 'Materials Project 2018, composition ground state; only structure of the composition',
  'gs?': 'Materials Project 2018, composition ground state; assumed polymorph',
};

function toStructure({ lat: [a, b, c, alpha, beta, gamma], sp, x }: ComputedEntry): Structure {
  const symbols: string[] = [];
  for (let i = 0; i < sp.length; i += 2)
    symbols.push(...Array.from({ length: Number(sp[i + 1]) }, () => String(sp[i])));
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    sites: symbols.map((symbol, i) => orderedSite(symbol, [x[3 * i], x[3 * i + 1], x[3 * i + 2]])),
  };
}

/** `1/3`, `0.30531`, `0`. */
export function coordinateText(value: number): string {
  const wrapped = value - Math.floor(value);
  for (const denominator of DENOMINATORS) {
    const numerator = Math.round(wrapped * denominator);
    if (Math.abs(wrapped - numerator / denominator) < FRACTION_TOLERANCE)
      return numerator % denominator === 0 ? '0' : `${numerator}/${denominator}`;
  }
  return String(Number(wrapped.toFixed(5)));
}

const length = (value: number): string => String(Number(value.toFixed(4)));
const angle = (value: number): string => String(Number(value.toFixed(3)));

/** The cell with the metric its crystal system demands: lengths averaged, angles exact. */
function idealCell(spaceGroupNumber: number, cell: LatticeParameters): LatticeParameters {
  const { a, b, c, beta } = cell;
  const right = { alpha: 90, beta: 90, gamma: 90 };
  if (spaceGroupNumber >= 195)
    return { a: Math.cbrt(a * b * c), b: Math.cbrt(a * b * c), c: Math.cbrt(a * b * c), ...right };
  const mean = Math.sqrt(a * b);
  if (spaceGroupNumber >= 143) return { a: mean, b: mean, c, ...right, gamma: 120 };
  if (spaceGroupNumber >= 75) return { a: mean, b: mean, c, ...right };
  if (spaceGroupNumber >= 16) return { a, b, c, ...right };
  return spaceGroupNumber >= 3 ? { a, b, c, ...right, beta } : cell;
}

/** The cell, the group and the orbits as the columns write them; `symprec` in Å. */
function structureColumns(entry: ComputedEntry, symprec: number): Record<string, string> {
  const { spaceGroup, standardizedCell } = analyzeSymmetry(toStructure(entry), { symprec });
  const exact = idealCell(spaceGroup.number, latticeParameters(standardizedCell.latticeVectors));
  const cell = {
    a: length(exact.a),
    b: length(exact.b),
    c: length(exact.c),
    alpha: angle(exact.alpha),
    beta: angle(exact.beta),
    gamma: angle(exact.gamma),
  };
  const unit = asymmetricUnit(
    { ...standardizedCell, latticeVectors: latticeVectorsFromParameters(exact) },
    operationsOf(spaceGroup.number),
    WIDEST_DRIFT * symprec,
  );
  const sitesText = (letterOf: (atomsBefore: number) => string): string => {
    let atoms = 0;
    return unit
      .map(({ site, multiplicity }) => {
        const letter = letterOf(atoms);
        atoms += multiplicity;
        return `${site.species[0].element} ${multiplicity}${letter} ${site.fractionalCoords.map(coordinateText).join(' ')}`;
      })
      .join('; ');
  };
  const columns = {
    struct_id: '1',
    name_en: entry.id,
    name_zh: entry.id,
    formula: displayFormula(compositionOf(standardizedCell)),
    sg: String(spaceGroup.number),
    sg_symbol: spaceGroup.symbol,
    ...cell,
    sites: sitesText(() => 'x'),
    structure_source: `cell and positions: ${entry.id} (PBE)`,
    density: density(standardizedCell).toPrecision(4),
    density_source: 'density of the computed cell',
  };
  // The atoms of the whole cell come orbit by orbit, so their Wyckoff letters can be read off.
  const { wyckoffs } = analyzeSymmetry(buildStructure(compoundFrom(columns)));
  return { ...columns, sites: sitesText((atoms) => wyckoffs[atoms]) };
}

/**
 * The columns a computed entry gives, checked as the generator will check them.
 * @throws Error when no tolerance gives a cell that passes
 */
export function computedRow(entry: ComputedEntry): CsvRecord {
  let failure: unknown;
  for (const symprec of TOLERANCES)
    try {
      const row = {
        ...structureColumns(entry, symprec),
        mp_id: entry.id,
        e_form_pbe: entry.ef === undefined ? '' : String(entry.ef),
        e_form_pbe_note: entry.ef === undefined ? '' : ENERGY_NOTES[entry.es ?? 'gs?'],
        gap_pbe: entry.gap === undefined ? '' : String(entry.gap),
      };
      const compound = compoundFrom(row);
      checkStructure(compound, buildStructure(compound));
      return row;
    } catch (error) {
      failure = error;
    }
  throw failure;
}
