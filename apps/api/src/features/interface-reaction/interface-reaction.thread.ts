/** Worker thread: the reactions of two materials in the form of the contract. */
import type { InterfaceReactant, InterfaceResult, InterfaceRow } from '@unitcell/contract/interface-reaction';
import { parseFormula } from '@unitcell/crystal';
import {
  equationText,
  type InterfaceKink,
  interfaceReaction,
  type Reactant,
} from '@unitcell/phase-equilibria';
import {
  asFigures,
  type CatalogueEntry,
  hullOf,
  type OpenElement,
  toEntries,
  toEntry,
} from '../../domain/thermodynamics/phase-hull.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

/** A material with its own energy, or a formula at the energy of the hull. */
export type ReactantChoice = StoredPhase | { readonly formulaReduced: string; readonly structId: null };

export interface InterfaceRequest {
  readonly reactants: readonly [ReactantChoice, ReactantChoice];
  /** All elements of reactants and reservoir. */
  readonly elements: readonly string[];
  readonly stablePhases: readonly StoredPhase[];
  readonly open: OpenElement | null;
  readonly useHullEnergy: boolean;
}

/** The part of the answer that depends only on energies; scale and titles are added later. */
export type ReactionsAtInterface = Omit<
  InterfaceResult,
  'error' | 'message' | 'functional' | 'release' | 'completeness' | 'open' | 'atomic_title' | 'molar_title'
>;

const given = (choice: ReactantChoice) =>
  choice.structId === null ? parseFormula(choice.formulaReduced) : toEntry(choice);

function tableRow(kink: InterfaceKink<CatalogueEntry>): InterfaceRow {
  const idOf = new Map(kink.products.map(({ entry }) => [entry.id, entry.structId]));
  return {
    molar_fraction: kink.molarFraction,
    atomic_fraction: kink.atomicFraction,
    equilibrium_formula: kink.products.map(({ formula }) => formula).join(' + '),
    reaction_function: equationText(kink.equation),
    reaction_energy_total: kink.reactionEnergyPerAtom,
    reaction_energy: kink.mutualEnergyPerAtom,
    decomposition_energy: kink.decompositionEnergyPerAtom,
    reaction_energy_kj: kink.reactionEnergyKJPerMol,
    phases: kink.equation.products.map(({ formula, coefficient, id }) => ({
      formula,
      coefficient,
      struct_id: (id === undefined ? undefined : idOf.get(id)) ?? null,
    })),
  };
}

const describe = (reactant: Reactant, choice: ReactantChoice): InterfaceReactant => ({
  formula: reactant.formula,
  struct_id: choice.structId !== null && reactant.entry !== null ? choice.structId : null,
  energy_above_hull: reactant.energyAboveHull,
});

export function reactAtInterface(request: InterfaceRequest): ReactionsAtInterface {
  const { reactants, elements, stablePhases, open, useHullEnergy } = request;
  const hull = hullOf(toEntries(stablePhases, elements), elements, open);
  const [first, second] = reactants;
  const reaction = interfaceReaction(hull, given(first), given(second), { useHullEnergy });
  const rows = reaction.kinks.map(tableRow);
  return asFigures({
    atomic_fraction: rows.map((row) => row.atomic_fraction),
    reaction_energy: rows.map((row) => row.reaction_energy_total),
    molar_text: rows.map((row) => row.molar_fraction.toFixed(3)),
    text: rows.map(
      (row) =>
        `${row.reaction_function}<br>${row.reaction_energy_total.toFixed(4)} eV/atom, ${row.reaction_energy_kj.toFixed(1)} kJ/mol`,
    ),
    interface_table_data: rows,
    min_re_index: reaction.minimumIndex,
    reactants: [describe(reaction.reactants[0], first), describe(reaction.reactants[1], second)],
  });
}

/** Worker thread: reactions at interfaces. */
