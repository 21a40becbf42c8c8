/** State of the interface page in its address, and the rows of its table. */
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';
import { readTemperature } from '../../components/open-gas/open-gas-state.ts';
import type { InterfaceResult, InterfaceRow } from '@unitcell/contract/interface-reaction';
import { CHEMICAL_POTENTIAL_LIMITS } from '@unitcell/contract/phase-diagram/rules';
import { atomicFractions, parseFormula } from '@unitcell/crystal';

export interface ReactionQuery {
  readonly reactant1: string;
  readonly reactant2: string;
  /** Empty for a closed interface. */
  readonly openElement: string;
  /** eV/atom relative to the pure element. */
  readonly chemicalPotential: number;
  readonly usesHullEnergy: boolean;
  /** Temperature in K for Gibbs energies; null for energies without temperature. */
  readonly temperature: number | null;
  /** Null for the site's default. */
  readonly scale: string | null;
}

/** Parses the address. Invalid values fall back to their defaults. */
export function readReaction(parameters: URLSearchParams): ReactionQuery {
  const { min, max } = CHEMICAL_POTENTIAL_LIMITS;
  const potential = Number(parameters.get('mu') ?? 0);
  return {
    // Links from other sites use the long names `reactant1` and `reactant2`.
    reactant1: (parameters.get('a') ?? parameters.get('reactant1'))?.trim() ?? '',
    reactant2: (parameters.get('b') ?? parameters.get('reactant2'))?.trim() ?? '',
    openElement: parameters.get('open')?.trim() ?? '',
    chemicalPotential: potential >= min && potential <= max ? potential : 0,
    usesHullEnergy: parameters.get('hull') === '1',
    temperature: readTemperature(parameters.get('temperature')),
    scale: readScale(parameters),
  };
}

export function writeReaction(query: ReactionQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  if (query.reactant1 !== '') parameters.set('a', query.reactant1);
  if (query.reactant2 !== '') parameters.set('b', query.reactant2);
  if (query.openElement !== '') {
    parameters.set('open', query.openElement);
    parameters.set('mu', String(query.chemicalPotential));
  }
  if (query.usesHullEnergy) parameters.set('hull', '1');
  if (query.temperature !== null) parameters.set('temperature', String(query.temperature));
  if (query.scale !== null) parameters.set(SCALE_PARAMETER, query.scale);
  return parameters;
}

export type ReactionRow = InterfaceRow & { readonly index: number };

export const rowsOf = ({ interface_table_data: rows }: InterfaceResult): readonly ReactionRow[] =>
  rows.map((row, index) => ({ ...row, index }));

interface CurvePoint {
  /** Share of the first reactant in all atoms. */
  readonly x: number;
  readonly total: number;
  readonly decomposition: number;
}

/** Steps between two kinks where the line between them is curved. */
const CURVE_STEPS = 20;

/**
 * Energies along the mixing line, per atom that is not exchanged with the reservoir. Between kinks they are
 * linear in the share of these atoms. The axis, as in pymatgen, is the share of all atoms, so the lines are
 * curved if the interface is open.
 */
export function curveOf({
  interface_table_data: rows,
  reactants,
  open,
}: Pick<InterfaceResult, 'interface_table_data' | 'reactants' | 'open'>): readonly CurvePoint[] {
  const kept = ({ formula }: InterfaceResult['reactants'][number]): number =>
    1 - (atomicFractions(parseFormula(formula))[open?.element ?? ''] ?? 0);
  const [first, second] = [kept(reactants[0]), kept(reactants[1])];
  const mixing = (x: number): number => (x * first) / (x * first + (1 - x) * second);
  const steps = first === second ? 1 : CURVE_STEPS;
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    const [from, to] = [row.atomic_fraction, next?.atomic_fraction ?? row.atomic_fraction];
    return Array.from({ length: next ? steps : 1 }, (_, step) => {
      const x = from + ((to - from) * step) / steps;
      const share = next && step > 0 ? (mixing(x) - mixing(from)) / (mixing(to) - mixing(from)) : 0;
      const between = (energy: (of: InterfaceRow) => number): number =>
        energy(row) + share * (energy(next ?? row) - energy(row));
      return {
        x,
        total: between((of) => of.reaction_energy_total),
        decomposition: between((of) => of.decomposition_energy),
      };
    });
  });
}

/** eV/atom; smaller energy gains are rounding errors. */
const NO_GAIN = 1e-6;

/** True if the reactants do not react: no mixture releases more energy than the separate reactants. */
export const isInert = ({
  interface_table_data: rows,
}: Pick<InterfaceResult, 'interface_table_data'>): boolean =>
  rows.every((row) => row.reaction_energy > -NO_GAIN);

/**
 * Index of the reaction with the largest mutual energy. The row of the largest total can be the decomposition of one
 * reactant alone, above all in contact with a reservoir.
 */
export const strongestIndex = ({
  interface_table_data: rows,
}: Pick<InterfaceResult, 'interface_table_data'>): number =>
  rows.reduce(
    (best, row, index) => (row.reaction_energy < (rows[best]?.reaction_energy ?? 0) ? index : best),
    0,
  );

/**
 * Tick positions of the molar axis: kinks at least `gap` apart (as shares of the axis), and both ends.
 * The molar fraction is not linear in the atomic one, so the axis can only be labelled at known points.
 */
export function molarTicks(
  { atomic_fraction: places, molar_text: labels }: Pick<InterfaceResult, 'atomic_fraction' | 'molar_text'>,
  gap: number,
): { readonly places: number[]; readonly labels: string[] } {
  const kept: number[] = [];
  places.forEach((place, index) => {
    const isEnd = index === 0 || index === places.length - 1;
    const previous = places[kept.at(-1) ?? -1] ?? Number.NEGATIVE_INFINITY;
    if (isEnd || (place - previous >= gap && 1 - place >= gap)) kept.push(index);
  });
  return { places: kept.map((i) => places[i] ?? 0), labels: kept.map((i) => labels[i] ?? '') };
}
