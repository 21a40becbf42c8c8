/** Worker thread: the whole electrochemical window of one material. */
import type { WindowDetail, WindowRange } from '@unitcell/contract/ecwindow';
import { atomCount, formulaParts, parseFormula } from '@unitcell/crystal';
import {
  buildGrandPotentialHull,
  buildHull,
  decompositionEnergyAt,
  type Deviations,
  electrochemicalWindow,
  type ElectrochemicalWindow,
  equationText,
  formulaUnit,
  type Hull,
  type PhaseShare,
  type VoltageRange,
} from '@unitcell/phase-equilibria';
import {
  asFigure,
  asFigures,
  type CatalogueEntry,
  entriesAtTemperature,
  type EntryAtTemperature,
  entryOfPhase,
  expectedErrorOf,
  gibbsOf,
  type Target,
} from '../../domain/thermodynamics/phase-hull.ts';
import type { OpenTo } from '../../domain/thermodynamics/open-gas.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

export interface WindowRequest {
  /** A target without an id is a compound entered by the user; it is added to the phases. */
  readonly target: Target;
  readonly workingIon: string;
  /** All elements of target and ion. */
  readonly elements: readonly string[];
  /** The stable phases; for a calculation at a temperature, all phases. */
  readonly phases: readonly StoredPhase[];
  readonly reservoir?: OpenTo;
  readonly at?: {
    /** K, from 300 */
    readonly temperature: number;
    readonly deviations: Deviations;
  };
}

/** The part of the answer that depends only on energies; scale and reference energy are added later. */
export type WindowOfMaterial = Omit<
  WindowDetail,
  'error' | 'message' | 'functional' | 'release' | 'ref_miu' | 'completeness' | 'reservoir'
>;

/** Smallest upper end of the plot, V. */
const PLOTTED_VOLTAGE = 5;

/** Rounds the answered number, so that a text never differs from the number beside it in the last digit. */
const volts = (voltage: number): string => asFigure(voltage).toFixed(3);

const rangeText = (minV: number, maxV: number | null): string =>
  maxV === null ? `> ${volts(minV)}` : `${volts(minV)} – ${volts(maxV)}`;

/** Writes a formula as `Li<sub>2</sub>O`. Formulas contain only letters, digits, dots and brackets. */
const formulaMarkup = (formula: string): string =>
  formulaParts(formula)
    .map(({ text, isSubscript }) => (isSubscript ? `<sub>${text}</sub>` : text))
    .join('');

/** Pads ids in links to ten digits (spec §2.8). */
const linkTo = (structId: number, markup: string): string =>
  `<a href="/matdatades/${String(structId).padStart(10, '0')}">${markup}</a>`;

const phaseMarkup = ({ formula, entry }: PhaseShare<CatalogueEntry>): string =>
  entry.structId === null ? formulaMarkup(formula) : linkTo(entry.structId, formulaMarkup(formula));

function tableRow(
  range: VoltageRange<EntryAtTemperature>,
  target: EntryAtTemperature,
  { at }: WindowRequest,
): WindowRange {
  const { units } = formulaUnit(target.composition);
  const atoms = atomCount(target.composition);
  const parts = range.products.map(({ entry, formula, moles }) => ({
    entry,
    atoms: moles * atomCount(parseFormula(formula)),
  }));
  return {
    Voltage_range: rangeText(range.minV, range.maxV),
    Phase_equilibria: range.products.map(phaseMarkup).join(' + '),
    Reaction: equationText(range.reaction),
    min_voltage: range.minV,
    max_voltage: range.maxV,
    ion_uptake: range.ionUptake / units,
    phases: range.products.map(({ formula, entry, moles }) => ({
      formula,
      struct_id: entry.structId,
      moles: moles / units,
      ...(at ? { gibbs_source: entry.source } : {}),
    })),
    ...(at
      ? {
          expected_error:
            expectedErrorOf([{ entry: target, atoms: -atoms }, ...parts], at.deviations) / atoms,
        }
      : {}),
  };
}

function hoverTexts(window: ElectrochemicalWindow<CatalogueEntry>, voltages: readonly number[]): string[] {
  return voltages.map((voltage) => {
    const range = window.ranges.findLast(({ minV }) => minV <= voltage) ?? window.ranges[0];
    const phases = range?.products.map(({ formula }) => formula).join(' + ') ?? '';
    const energy = decompositionEnergyAt(window, voltage);
    return `${volts(voltage)} V: ${energy.toFixed(4)} eV/atom<br>${phases}`;
  });
}

/**
 * The phase at the ion's corner of the hull: the metal of the ion, or a compound with an element of the gas.
 */
const floorPhase = (hull: Hull<CatalogueEntry>, ion: string): string => {
  const corner = hull.references[hull.space.components.indexOf(ion)];
  return corner ? formulaUnit(corner.entry.composition).formula : ion;
};

export function windowOfMaterial(request: WindowRequest): WindowOfMaterial {
  const { target, workingIon, elements, phases, reservoir, at } = request;
  const system = entriesAtTemperature(phases, elements, at?.temperature ?? 0);
  const entry = entryOfPhase(system, target, at?.temperature);
  const entries = target.structId === null ? [...system.entries, entry] : system.entries;
  const hull = reservoir
    ? buildGrandPotentialHull(entries, reservoir.potentials, elements)
    : buildHull(entries, { elements });
  const window = electrochemicalWindow(hull, entry, workingIon);
  const corners = window.ranges.map(({ minV }) => minV);
  const last = corners.at(-1) ?? 0;
  const voltage = [...new Set([window.floorV, ...corners, Math.max(last + 1, PLOTTED_VOLTAGE)])];
  const forceAt = (volt: number): number => decompositionEnergyAt(window, volt);
  const orNull = (index: number): number | null => (index >= 0 ? index : null);
  return asFigures({
    formula: window.formula,
    struct_id: target.structId,
    work_ion: workingIon,
    charge: window.charge,
    voltage,
    rxn_energy: voltage.map(forceAt),
    reduction_onset: window.reductionOnsetV,
    oxidation_onset: window.oxidationOnsetV,
    d_e_reduction_onset: forceAt(window.reductionOnsetV),
    d_e_oxidation_onset: window.oxidationOnsetV === null ? null : forceAt(window.oxidationOnsetV),
    hovertext: hoverTexts(window, voltage),
    ...(reservoir ? { floor_voltage: window.floorV, floor_phase: floorPhase(hull, workingIon) } : {}),
    e_above_hull: window.energyAboveHull,
    ...(at ? { gibbs: gibbsOf(system, at.temperature) } : {}),
    decomposition_table_data: window.ranges.map((range) => tableRow(range, entry, request)),
    transition_indexes: {
      reduction_onset: orNull(window.reductionIndex),
      oxidation_onset: orNull(window.oxidationIndex),
    },
  });
}
