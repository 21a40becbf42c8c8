/**
 * Catalogue energies for reactions at temperature: the most stable material of each formula, with its error.
 */
import type { computedEnergy } from '@unitcell/contract/stability';
import { atomCount, type Composition, reducedFormula } from '@unitcell/crystal';
import {
  combinedError,
  computedEnergetics,
  type Energetics,
  type ErrorPart,
  expectedDeviation,
  type MeasuredSubstance,
  type PhaseError,
  type ReactionTerm,
  scaledError,
  thermalError,
} from '@unitcell/phase-equilibria';
import type { z } from 'zod';
import type { Services } from '../../domain/services.ts';
import { volumePerAtom } from '../../domain/thermodynamics/phase-hull.ts';

export interface ComputedCompound {
  readonly energetics: Energetics;
  readonly answer: z.input<typeof computedEnergy>;
  /** eV/atom */
  readonly error: PhaseError;
}

/** The most stable material of a formula and the error of its scale; plain data, to be sent to threads. */
export interface StoredEnergy {
  readonly structId: number;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  /** g/cm³ */
  readonly density: number;
  readonly expected: z.input<typeof computedEnergy>['expected_error'];
  /** Expected error of the scale, eV/atom; null if unknown. */
  readonly scaleError: number | null;
}

/** Energies by reduced formula. Formulas that the catalogue lacks are left out. */
export async function storedEnergies(
  { phaseEntries, scaleAccuracy }: Pick<Services, 'phaseEntries' | 'scaleAccuracy'>,
  functional: string,
  compositions: readonly Composition[],
): Promise<ReadonlyMap<string, StoredEnergy>> {
  const byFormula = new Map(compositions.map((composition) => [reducedFormula(composition), composition]));
  const lowest = await phaseEntries.lowestOfFormulas(functional, [...byFormula.keys()]);
  const deviations = await scaleAccuracy.deviationsOf(functional);
  const found = new Map<string, StoredEnergy>();
  for (const [formula, composition] of byFormula) {
    const stored = lowest.get(formula);
    if (stored === undefined) continue;
    const { structId, formationEnergyPerAtom, density } = stored;
    const expected = await scaleAccuracy.errorOf(functional, composition);
    const scaleError = expectedDeviation(composition, deviations);
    found.set(formula, { structId, formationEnergyPerAtom, density, expected, scaleError });
  }
  return found;
}

/** The energetics of a stored energy; null if its temperature dependence is unknown. */
function computedCompound(
  composition: Composition,
  measured: MeasuredSubstance | null,
  { structId, formationEnergyPerAtom, density, expected, scaleError }: StoredEnergy,
): ComputedCompound | null {
  const volume = volumePerAtom(composition, density);
  const energetics = computedEnergetics(
    { composition, formationEnergy: formationEnergyPerAtom, volume },
    measured,
  );
  if (energetics === null) return null;
  return {
    energetics,
    answer: {
      struct_id: structId,
      formation_energy: formationEnergyPerAtom,
      thermal: energetics.thermal,
      expected_error: expected,
    },
    error: { scale: scaleError, thermal: thermalError(energetics.thermal) },
  };
}

/** Energetics by reduced formula, without compounds that are missing or whose temperature dependence is unknown. */
export function computedCompounds(
  stored: ReadonlyMap<string, StoredEnergy>,
  wanted: readonly { readonly composition: Composition; readonly measured: MeasuredSubstance | null }[],
): ReadonlyMap<string, ComputedCompound> {
  return new Map(
    wanted.flatMap(({ composition, measured }): [string, ComputedCompound][] => {
      const formula = reducedFormula(composition);
      const energy = stored.get(formula);
      const compound = energy && computedCompound(composition, measured, energy);
      return compound ? [[formula, compound]] : [];
    }),
  );
}

/** A substance of a reaction. */
export interface ReactionPart {
  readonly composition: Composition;
  readonly measured: MeasuredSubstance | null;
  /** Formula units of `composition`, negative for reactants. */
  readonly amount: number;
  /** Partial pressure of a gas in bar; null for a condensed phase. */
  readonly pressure: number | null;
}

/**
 * A reaction with computed energies of its compounds and measured ones of its gases and elements; null if a compound
 * has no energy, or if there is none. `error`: expected error in eV, null if unknown.
 */
export function computedReaction(
  parts: readonly ReactionPart[],
  computed: ReadonlyMap<string, ComputedCompound>,
) {
  const terms: ReactionTerm[] = [];
  const compounds: ComputedCompound[] = [];
  const errors: ErrorPart[] = [];
  for (const { composition, measured, amount, pressure } of parts) {
    const atoms = amount * atomCount(composition);
    if (measured !== null && measured.phase !== 'condensed') {
      terms.push({ substance: measured, amount: atoms / atomCount(measured.composition), pressure });
      const thermal = thermalError(Object.keys(composition).length === 1 ? 'element' : 'gas');
      errors.push({ composition, ...scaledError({ scale: 0, thermal }, atoms) });
      continue;
    }
    const compound = computed.get(reducedFormula(composition));
    if (compound === undefined) return null;
    const { energetics, error } = compound;
    terms.push({ substance: energetics, amount: atoms / atomCount(energetics.composition), pressure: null });
    compounds.push(compound);
    errors.push({ composition, ...scaledError(error, atoms) });
  }
  return compounds.length === 0 ? null : { terms, compounds, error: combinedError(errors) };
}
