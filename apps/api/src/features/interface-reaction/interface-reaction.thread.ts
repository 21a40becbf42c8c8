/** Worker thread: the reactions of two materials in the form of the contract. */
import type { InterfaceReactant, InterfaceResult, InterfaceRow } from '@unitcell/contract/interface-reaction';
import { atomCount, type Composition, parseFormula } from '@unitcell/crystal';
import {
  type Deviations,
  equationText,
  type InterfaceKink,
  interfaceReaction,
  type Reactant,
} from '@unitcell/phase-equilibria';
import {
  asFigures,
  entriesAtTemperature,
  type EntryAtTemperature,
  entryOfPhase,
  expectedErrorOf,
  gibbsOf,
  hullOf,
  lowestEntryOfFormula,
  type OpenElement,
} from '../../domain/thermodynamics/phase-hull.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

/** A material with its own energy, or a formula that has the energy of the hull at its composition. */
export type ReactantChoice =
  | (StoredPhase & {
      /** Whether a formula was typed. If so, its lowest phase is used. */
      readonly isOfFormula: boolean;
    })
  | { readonly formulaReduced: string; readonly structId: null };

export interface InterfaceRequest {
  readonly reactants: readonly [ReactantChoice, ReactantChoice];
  /** All elements of reactants and reservoir. */
  readonly elements: readonly string[];
  /** The stable phases; for a calculation at a temperature, all phases. */
  readonly phases: readonly StoredPhase[];
  readonly at?: {
    /** K, from 300 */
    readonly temperature: number;
    readonly deviations: Deviations;
  };
  readonly open: OpenElement | null;
  readonly useHullEnergy: boolean;
}

/** The part of the answer that depends only on energies; scale and titles are added later. */
export type ReactionsAtInterface = Omit<
  InterfaceResult,
  'error' | 'message' | 'functional' | 'release' | 'completeness' | 'open' | 'atomic_title' | 'molar_title'
>;

/** The entry of a reactant, or only its composition if the reactant has the energy of the hull. */
function reactantAt(
  choice: ReactantChoice,
  system: ReturnType<typeof entriesAtTemperature>,
  { at }: InterfaceRequest,
): EntryAtTemperature | Composition {
  if (choice.structId === null) return parseFormula(choice.formulaReduced);
  return at && choice.isOfFormula
    ? lowestEntryOfFormula(system, choice.formulaReduced)
    : entryOfPhase(system, choice, at?.temperature);
}

const isEntry = (reactant: EntryAtTemperature | Composition): reactant is EntryAtTemperature =>
  typeof reactant.composition === 'object';

type Entries = ReadonlyMap<string, EntryAtTemperature>;

/**
 * Expected error of the reaction energy at a temperature, eV per atom not from the reservoir; null without a
 * temperature, or if a reactant has the energy of the hull.
 */
function errorOf(
  { equation }: InterfaceKink<EntryAtTemperature>,
  entries: Entries,
  { at, open }: InterfaceRequest,
): number | null {
  if (!at) return null;
  let closedAtoms = 0;
  const parts: { readonly entry: EntryAtTemperature; readonly atoms: number }[] = [];
  for (const [sign, terms] of [[-1, equation.reactants] as const, [1, equation.products] as const])
    for (const { formula, coefficient, id } of terms) {
      const composition = parseFormula(formula);
      const isExchanged =
        open !== null && Object.keys(composition).every((element) => element === open.element);
      if (isExchanged) continue;
      const entry = entries.get(id ?? '');
      if (entry === undefined) return null;
      const atoms = coefficient * atomCount(composition);
      parts.push({ entry, atoms: sign * atoms });
      if (sign < 0) closedAtoms += atoms - coefficient * (composition[open?.element ?? ''] ?? 0);
    }
  return expectedErrorOf(parts, at.deviations) / closedAtoms;
}

function tableRow(
  kink: InterfaceKink<EntryAtTemperature>,
  entries: Entries,
  request: InterfaceRequest,
): InterfaceRow {
  return {
    molar_fraction: kink.molarFraction,
    atomic_fraction: kink.atomicFraction,
    equilibrium_formula: kink.products.map(({ formula }) => formula).join(' + '),
    reaction_function: equationText(kink.equation),
    reaction_energy_total: kink.reactionEnergyPerAtom,
    reaction_energy: kink.mutualEnergyPerAtom,
    decomposition_energy: kink.decompositionEnergyPerAtom,
    reaction_energy_kj: kink.reactionEnergyKJPerMol,
    phases: kink.equation.products.map(({ formula, coefficient, id }) => {
      const entry = entries.get(id ?? '');
      return {
        formula,
        coefficient,
        struct_id: entry?.structId ?? null,
        ...(request.at ? { gibbs_source: entry?.source ?? 'element' } : {}),
      };
    }),
    ...(request.at ? { expected_error: errorOf(kink, entries, request) } : {}),
  };
}

const describe = (reactant: Reactant, entries: Entries, { at }: InterfaceRequest): InterfaceReactant => {
  const entry = entries.get(reactant.entry?.id ?? '');
  return {
    formula: reactant.formula,
    struct_id: entry?.structId ?? null,
    energy_above_hull: reactant.energyAboveHull,
    ...(at && entry ? { gibbs_source: entry.source } : {}),
  };
};

export function reactAtInterface(request: InterfaceRequest): ReactionsAtInterface {
  const { elements, phases, open, useHullEnergy, at } = request;
  const system = entriesAtTemperature(phases, elements, at?.temperature ?? 0);
  const hull = hullOf(system.entries, elements, open);
  const first = reactantAt(request.reactants[0], system, request);
  const second = reactantAt(request.reactants[1], system, request);
  const reaction = interfaceReaction(hull, first, second, { useHullEnergy });
  const given = [first, second].flatMap((reactant) => (isEntry(reactant) ? [reactant] : []));
  const entries = new Map([...system.entries, ...given].map((entry) => [entry.id, entry]));
  const rows = reaction.kinks.map((kink) => tableRow(kink, entries, request));
  const unit = open ? `eV per atom other than ${open.element}` : 'eV/atom';
  return asFigures({
    atomic_fraction: rows.map((row) => row.atomic_fraction),
    reaction_energy: rows.map((row) => row.reaction_energy_total),
    molar_text: rows.map((row) => row.molar_fraction.toFixed(3)),
    text: rows.map(
      (row) =>
        `${row.reaction_function}<br>${row.reaction_energy_total.toFixed(4)} ${unit}, ${row.reaction_energy_kj.toFixed(1)} kJ/mol`,
    ),
    interface_table_data: rows,
    min_re_index: reaction.minimumIndex,
    reactants: [
      describe(reaction.reactants[0], entries, request),
      describe(reaction.reactants[1], entries, request),
    ],
    ...(at ? { gibbs: gibbsOf(system, at.temperature) } : {}),
  });
}
