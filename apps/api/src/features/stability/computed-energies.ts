/** Energies of the catalogue for reactions at temperature: the lowest material of each formula, with its error. */
import type { computedEnergy } from '@unitcell/contract/stability';
import { atomCount, type Composition, molarMass, reducedFormula } from '@unitcell/crystal';
import { AVOGADRO_PER_MOL } from '@unitcell/elements';
import {
  computedEnergetics,
  DESCRIPTOR_ERROR,
  type Energetics,
  type MeasuredSubstance,
} from '@unitcell/phase-equilibria';
import type { z } from 'zod';
import type { Services } from '../../domain/services.ts';

export interface ComputedCompound {
  readonly energetics: Energetics;
  readonly answer: z.input<typeof computedEnergy>;
  /** Expected error, eV per formula unit of `energetics.composition`; null if unknown. */
  readonly error: number | null;
}

/** Å³ in a cubic centimetre. */
const CUBIC_ANGSTROM = 1e24;

interface Wanted {
  readonly composition: Composition;
  readonly measured: MeasuredSubstance | null;
}

/** Energies by reduced formula, without compounds that are missing or whose temperature dependence is unknown. */
export async function computedCompounds(
  { phaseEntries, scaleAccuracy }: Pick<Services, 'phaseEntries' | 'scaleAccuracy'>,
  functional: string,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, ComputedCompound>> {
  const formulas = [...new Set(wanted.map(({ composition }) => reducedFormula(composition)))];
  const lowest = await phaseEntries.lowestOfFormulas(functional, formulas);
  const found = new Map<string, ComputedCompound>();
  for (const { composition, measured } of wanted) {
    const formula = reducedFormula(composition);
    const stored = lowest.get(formula);
    if (stored === undefined) continue;
    const atoms = atomCount(composition);
    const volume = molarMass(composition) / AVOGADRO_PER_MOL / stored.density / atoms;
    const energetics = computedEnergetics(
      {
        composition,
        formationEnergy: stored.formationEnergyPerAtom,
        volume: volume * CUBIC_ANGSTROM,
      },
      measured,
    );
    if (energetics === null) continue;
    const expected = await scaleAccuracy.errorOf(functional, composition);
    const thermalError = energetics.thermal === 'descriptor' ? DESCRIPTOR_ERROR : 0;
    found.set(formula, {
      energetics,
      answer: {
        struct_id: stored.structId,
        formation_energy: stored.formationEnergyPerAtom,
        thermal: energetics.thermal,
        expected_error: expected,
      },
      error: expected && atoms * Math.hypot(expected.mean_absolute, thermalError),
    });
  }
  return found;
}
