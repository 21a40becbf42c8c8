/**
 * Species in water, for Pourbaix diagrams and for the decomposition energy in water: computed solids, and
 * ions whose energies are shifted to computed reference solids. Pure.
 */
import { atomCount, type Composition, parseFormula, reducedFormula } from '@unitcell/crystal';
import {
  type AqueousSpecies,
  ionsOf,
  isMolecular,
  MAX_POURBAIX_ELEMENTS,
  pourbaixDecomposition,
  pourbaixPoint,
  referenceShift,
  solidGibbs,
  waterShift,
} from '@unitcell/phase-equilibria';
import type { StoredPhase } from './phase-entries.ts';
import { type CatalogueEntry, toEntries } from './phase-hull.ts';

/** Formation energies of the reference solids of the ions by element, eV/atom; absent if the catalogue lacks one. */
export type ReferenceEnergies = Readonly<Record<string, number>>;

export const WATER: Composition = { H: 2, O: 1 };

/** Elements of a compound in water: all but O and H. */
export const isDissolvable = (symbol: string): boolean => symbol !== 'O' && symbol !== 'H';

/** Reduced formula of the reference solid of an element's ions; undefined if the element has no ions. */
export function referenceFormula(element: string): string | undefined {
  const reference = ionsOf(element)?.reference;
  return reference === undefined ? undefined : reducedFormula(parseFormula(reference));
}

/**
 * The energy of an element is zero by definition.
 * @param lowestOf the lowest formation energy of a formula, eV/atom
 */
export const referenceEnergies = (
  elements: readonly string[],
  lowestOf: (formula: string) => number | undefined,
): ReferenceEnergies =>
  Object.fromEntries(
    elements.flatMap((element) => {
      const formula = referenceFormula(element);
      const energy = formula === element ? 0 : formula && lowestOf(formula);
      return typeof energy === 'number' ? [[element, energy]] : [];
    }),
  );

type Phase = Pick<StoredPhase, 'formulaReduced' | 'formationEnergyPerAtom'>;

/**
 * Energy shift of solids that contain O and H: the error of the catalogue's water, or 0 if the catalogue has
 * no water.
 */
export function waterShiftOf(phases: readonly Phase[]): (composition: Composition) => number {
  const waters = phases.filter(({ formulaReduced }) => formulaReduced === reducedFormula(WATER));
  if (waters.length === 0) return () => 0;
  const computed = solidGibbs(
    WATER,
    Math.min(...waters.map(({ formationEnergyPerAtom }) => formationEnergyPerAtom)),
  );
  return (composition) => waterShift(composition, computed);
}

/**
 * Phases as solids in water: Gibbs energies at 298.15 K in eV per formula. Compounds of molecules, such as ClO2, are no
 * solids there.
 */
export function computedSolids(
  phases: readonly StoredPhase[],
  elements: readonly string[],
): readonly CatalogueEntry[] {
  const shiftOf = waterShiftOf(phases);
  return toEntries(phases, elements)
    .filter(
      ({ composition }) => elements.some((element) => element in composition) && !isMolecular(composition),
    )
    .map((entry) => ({
      ...entry,
      energy:
        solidGibbs(entry.composition, entry.energy / atomCount(entry.composition)) +
        shiftOf(entry.composition),
    }));
}

/**
 * Shift that makes the energy of an ion consistent with computed solids, eV per formula; null without ions or
 * reference solid.
 */
export function ionShift(
  element: string,
  references: ReferenceEnergies,
  composition: Composition,
): number | null {
  const table = ionsOf(element);
  const computed = references[element];
  if (table === undefined || computed === undefined) return null;
  const solid = parseFormula(table.reference);
  return referenceShift(table, element, solidGibbs(solid, computed) / atomCount(solid), composition);
}

/** Conditions of `decomposition_energy_in_water`. */
export const WATER_CONDITIONS = { ph: 7, potential: 0, concentration: 1e-6 } as const;

/**
 * Decomposition energies in water for one set of elements, eV/atom: the values of /api/stability/pourbaix/ at
 * pH 7 and 0 V. Water does not decompose into O2 and H2 under these conditions, so a solid that decomposes
 * into other solids and these gases is never the lowest and need not be removed first.
 * @param elements the elements besides O and H
 * @param phases the phases of these elements, O and H; the lowest phase of each formula is enough
 * @returns null if there are no or too many elements, or one of them has no ions or no reference solid
 */
export function energyInWater(
  elements: readonly string[],
  phases: readonly StoredPhase[],
  references: ReferenceEnergies,
): ((composition: Composition, formationEnergyPerAtom: number) => number) | null {
  const hasIons = elements.every((element) => ionsOf(element) && references[element] !== undefined);
  if (elements.length === 0 || elements.length > MAX_POURBAIX_ELEMENTS || !hasIons) return null;
  const shiftOf = waterShiftOf(phases);
  const solids = computedSolids(phases, elements).map(
    ({ composition, energy }): AqueousSpecies => ({ phase: 'solid', composition, charge: 0, energy }),
  );
  const ions = elements.flatMap((element) =>
    (ionsOf(element)?.ions ?? []).map(
      ({ composition, charge, gibbs }): AqueousSpecies => ({
        phase: 'ion',
        composition,
        charge,
        energy: gibbs + (ionShift(element, references, composition) ?? 0),
      }),
    ),
  );
  const species = [...solids, ...ions];
  const { ph, potential } = WATER_CONDITIONS;
  return (composition, formationEnergyPerAtom) => {
    const own = elements.filter((element) => element in composition);
    const concentration = Object.fromEntries(own.map((element) => [element, WATER_CONDITIONS.concentration]));
    const ratio = own.map((element) => composition[element] ?? 0);
    const stable = pourbaixPoint({ elements: own, species, concentration }, ratio, ph, potential);
    const energy = solidGibbs(composition, formationEnergyPerAtom) + shiftOf(composition);
    return pourbaixDecomposition({ composition, energy }, [stable], ph, potential);
  };
}
