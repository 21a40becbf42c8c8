/**
 * Convex hulls of the energies in the seed data, as the site draws them: for the tests and the tables of
 * docs/operating/seed.md.
 */
import { atomCount, type Composition, parseFormula } from '@unitcell/crystal';
import { buildHull, energyAboveHull, type Hull, type PhaseEntry } from '@unitcell/phase-equilibria';
import type { Compound } from '../compound.ts';

export type Scale = 'pbe' | 'experiment';

export interface SeedEntry extends PhaseEntry {
  readonly compound: Compound;
}

const formationEnergy = (compound: Compound, scale: Scale): number | undefined =>
  scale === 'pbe' ? compound.formationEnergyPbe : compound.formationEnthalpy298;

/** The chemical systems (tier 1) for which the seed data contain every competing phase on the PBE scale. */
export const COMPLETE_SYSTEMS = (
  'Li-Co-P-S-O Li-Fe-P-O Y-Ti-O-S Li-P-O-N Ba-Ti-O Li-Ge-P-S Li-P-S-Cl Li-Ti-O Sr-Ti-O Li-Mn-O Li-La-Zr-O Ca-Ti-O ' +
  'Mg-Si-O Li-Al-O Li-Ni-O Cs-Pb-I Cu-Zn-O V-O Li-Si Mg-Al-O Al-Ni Al-N-O Zr-O Al-Cu Ni-Ti Ta-As Fe-S Li-C Mg-B ' +
  'Nb-Sn Zn-S Na-Bi Cd-As Ga-N Bi-Te Li-F Mo-S Ga-As In-P Bi-Se'
).split(' ');

/** Systems in which every compound known to be stable has a measured enthalpy of formation in the table. */
export const COMPLETE_ON_EXPERIMENT_SCALE =
  'Ti-O Fe-O Mn-O Co-O Ni-O Si-O Mg-Al-O Mg-Si-O Cu-O Zn-O V-O Zr-O Ga-N Ga-As In-P Zn-S Mo-S Al-N Li-F Li-O Na-Cl Fe-S Mg-B'.split(
    ' ',
  );

const within = (composition: Readonly<Record<string, number>>, elements: ReadonlySet<string>): boolean =>
  Object.keys(composition).every((element) => elements.has(element));

/**
 * Cached, because parsing 1,600 formulas for each of hundreds of systems would dominate the time of the
 * tests.
 */
const compositions = new Map<string, Composition>();

function compositionOfFormula(formula: string): Composition {
  const known = compositions.get(formula);
  if (known !== undefined) return known;
  const composition = parseFormula(formula);
  compositions.set(formula, composition);
  return composition;
}

/** Entries of a chemical system (`Ti-O`) and its subsystems that have an energy on the scale. */
export function entriesOf(
  compounds: readonly Compound[],
  system: string,
  scale: Scale,
): readonly SeedEntry[] {
  const elements = new Set(system.split('-'));
  return compounds.flatMap((compound) => {
    const composition = compositionOfFormula(compound.formula);
    const perAtom = formationEnergy(compound, scale);
    if (perAtom === undefined || !within(composition, elements)) return [];
    return [
      { id: String(compound.structId), composition, energy: perAtom * atomCount(composition), compound },
    ];
  });
}

export const hullOf = (compounds: readonly Compound[], system: string, scale: Scale): Hull<SeedEntry> =>
  buildHull(entriesOf(compounds, system, scale));

/** eV/atom above the hull of the system, by struct_id. */
export function heightsAboveHull(
  compounds: readonly Compound[],
  system: string,
  scale: Scale,
): ReadonlyMap<number, number> {
  const entries = entriesOf(compounds, system, scale);
  const hull = buildHull(entries);
  return new Map(entries.map((entry) => [entry.compound.structId, energyAboveHull(hull, entry)]));
}
