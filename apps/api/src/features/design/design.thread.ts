/** Worker thread: search for new compounds. */
import type { DesignCandidate } from '@unitcell/contract/design';
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import {
  anonymousFormula,
  atomCount,
  type CompactCell,
  compositionOf,
  density,
  displayFormula,
  fromCompactCell,
  reducedFormula,
  type Structure,
  toCompactCell,
} from '@unitcell/crystal';
import { type Proposal, type Proposals, propose, substitute, type Template } from '@unitcell/design';
import {
  evaluateFilter,
  type Filter,
  type FilterField,
  type FilterFields,
  materialFilterFields,
  type PropertyValue,
} from '@unitcell/filter';
import { predictedFieldsBy } from '@unitcell/material';
import { buildHull, electrochemicalWindow, energyAboveHull, type Hull } from '@unitcell/phase-equilibria';
import { type Model, predict, probabilityWithin } from '@unitcell/prediction';
import { roundTo } from '@unitcell/numerics';
import { findMatches, prepareCandidate, prepareStructure } from '@unitcell/symmetry';
import type { ModelPlace } from '../../domain/prediction/models.ts';
import { relaxGuess } from '../../domain/potential/relax-guess.ts';
import { attempt, openedModel } from '../../domain/prediction/predict-cells.ts';
import { predictedValuesOf } from '../../domain/prediction/predicted-values.ts';
import type { Competitors } from '../../domain/prediction/prediction.thread.ts';
import { toEntries } from '../../domain/thermodynamics/phase-hull.ts';

// The fields of a candidate in the filter language.

/** Fields that candidates share with materials. */
const MATERIAL_FIELDS = [
  'elements',
  'nelements',
  'nsites',
  'formula_reduced',
  'formula_anonymous',
  'chemical_system',
  'density',
] as const;

const number = (unit: string): FilterField => ({ type: 'number', unit });

export const DESIGN_FIELDS: FilterFields = new Map<string, FilterField>([
  ...[...materialFilterFields()].filter(([name]) => MATERIAL_FIELDS.some((field) => field === name)),
  ...predictedFieldsBy('prediction').map(({ name, unit }): [string, FilterField] => [name, number(unit)]),
  ['energy_above_hull', number('eV/atom')],
  ['insulator_probability', number('')],
  ['probability_within_25_mev', number('')],
  ['probability_within_50_mev', number('')],
  ...WORKING_IONS.flatMap((ion) =>
    ['reduction_onset', 'oxidation_onset', 'window_width'].map((name): [string, FilterField] => [
      `${name}_${ion.toLowerCase()}`,
      number('V'),
    ]),
  ),
]);

export const ionsOfFilter = (text: string): string[] =>
  WORKING_IONS.filter((ion) =>
    new RegExp(`(?:reduction_onset|oxidation_onset|window_width)_${ion.toLowerCase()}\\b`).test(text),
  );

/** A candidate before its prediction. */
export interface Composed {
  readonly elements: readonly string[];
  readonly nsites: number;
  readonly formulaReduced: string;
  readonly formulaAnonymous: string;
  readonly density: number;
}

/** The value of a field for the filter; unknown before the prediction. */
export function propertyOf(
  composed: Composed,
  found: Pick<
    DesignCandidate,
    'predicted' | 'energy_above_hull' | 'probability_within_25_mev' | 'probability_within_50_mev' | 'windows'
  > | null,
): (name: string) => PropertyValue {
  const known: Readonly<Record<string, PropertyValue>> = {
    elements: composed.elements,
    nelements: composed.elements.length,
    nsites: composed.nsites,
    formula_reduced: composed.formulaReduced,
    formula_anonymous: composed.formulaAnonymous,
    chemical_system: composed.elements.join('-'),
    density: composed.density,
    ...(found && {
      predicted_formation_energy: found.predicted.formation_energy_per_atom.value,
      predicted_band_gap: found.predicted.band_gap.value,
      predicted_bulk_modulus: found.predicted.bulk_modulus.value,
      predicted_shear_modulus: found.predicted.shear_modulus.value,
      insulator_probability: found.predicted.insulator_probability,
      energy_above_hull: found.energy_above_hull,
      probability_within_25_mev: found.probability_within_25_mev,
      probability_within_50_mev: found.probability_within_50_mev,
      ...Object.fromEntries(
        found.windows.flatMap(({ ion, reduction_onset, oxidation_onset }) => {
          const name = ion.toLowerCase();
          return [
            [`reduction_onset_${name}`, reduction_onset],
            [`oxidation_onset_${name}`, oxidation_onset],
            [`window_width_${name}`, oxidation_onset === null ? null : oxidation_onset - reduction_onset],
          ];
        }),
      ),
    }),
  };
  return (name) => known[name] ?? null;
}

/** Whether the filter rejects the candidate, whatever the values of the unknown fields are. */
export const isRuledOut = (filter: Filter | null, property: (name: string) => PropertyValue): boolean =>
  filter !== null && evaluateFilter(filter, property) === false;
/** Whether the candidate passes; an unknown result does not pass. */
export const passes = (filter: Filter | null, property: (name: string) => PropertyValue): boolean =>
  filter === null || evaluateFilter(filter, property) === true;

interface ProposeRequest {
  readonly templates: readonly Template[];
  readonly systems: readonly (readonly string[])[];
  readonly limit: number;
}

/**
 * Finds substitutions of elements in known crystals. Runs in worker threads: thousands of crystals times
 * thousands of assignments.
 */
export const proposeCompounds = ({ templates, systems, limit }: ProposeRequest): Proposals =>
  propose(templates, systems, { limit });

// Converts proposals to candidates: builds crystals, predicts, compares with the hull, relaxes the best. Runs in
// worker threads.

/** A proposal with its template crystal. */
interface ProposalToEvaluate {
  readonly proposal: Proposal;
  readonly template: {
    readonly structId: number;
    readonly formula: string;
    readonly spaceGroup: string;
    readonly cell: CompactCell;
  };
}

interface EvaluateRequest {
  readonly model: ModelPlace;
  readonly proposals: readonly ProposalToEvaluate[];
  /** Stable phases by chemical system; a system without entry has no hull. */
  readonly competitors: Readonly<Record<string, Competitors>>;
  readonly filter: Filter | null;
  /** Working ions whose windows are requested. */
  readonly ions: readonly string[];
}

/** A candidate without a rank. */
export interface Evaluated {
  readonly candidate: Omit<DesignCandidate, 'rank' | 'known_struct_id'>;
  readonly formulaReduced: string;
  readonly cell: CompactCell;
  /**
   * Whether the candidate meets the filter. Relaxation changes the values, so candidates are removed only at
   * the end.
   */
  readonly passes: boolean;
}

interface EvaluateResult {
  readonly evaluated: readonly Evaluated[];
  readonly refused: number;
  readonly filtered: number;
  readonly withoutHull: number;
}

type Windows = DesignCandidate['windows'];

function windowsOf(
  hull: Hull,
  entry: { readonly composition: Readonly<Record<string, number>>; readonly energy: number },
  ions: readonly string[],
): Windows {
  return ions.flatMap((ion) => {
    // A target that consists only of the ion has no window.
    if (Object.keys(entry.composition).every((element) => element === ion)) return [];
    const { reductionOnsetV, oxidationOnsetV } = electrochemicalWindow(
      hull,
      { id: 'candidate', ...entry },
      ion,
    );
    return [{ ion, reduction_onset: reductionOnsetV, oxidation_onset: oxidationOnsetV }];
  });
}

const composedOf = (structure: Structure): Composed => {
  const composition = compositionOf(structure);
  return {
    elements: Object.keys(composition).sort(),
    nsites: structure.sites.length,
    formulaReduced: reducedFormula(composition),
    formulaAnonymous: anonymousFormula(composition),
    density: density(structure),
  };
};

/** The predicted values of a crystal and its energy above the hull; null if the model refuses the crystal. */
function valuesOf(model: Model, structure: Structure, hull: Hull, ions: readonly string[]) {
  const prediction = attempt(() => predict(model, structure));
  if ('refusal' in prediction) return null;
  const composition = compositionOf(structure);
  const predicted = predictedValuesOf(prediction);
  const energy = predicted.formation_energy_per_atom.value * atomCount(composition);
  const distance = energyAboveHull(hull, { composition, energy });
  return {
    predicted,
    energy_above_hull: distance,
    probability_within_25_mev: probabilityWithin(model, prediction, distance, 0.025),
    probability_within_50_mev: probabilityWithin(model, prediction, distance, 0.05),
    windows: windowsOf(hull, { composition, energy }, ions),
  };
}

const hullOf = ({ phases, elements }: Competitors): Hull =>
  buildHull(toEntries(phases, elements), { elements });

/** @throws PredictionError `model-file` */
export function evaluateProposals(request: EvaluateRequest): EvaluateResult {
  const { model: place, proposals, competitors, filter, ions } = request;
  const model = openedModel(place);
  const hulls = new Map<string, Hull>();
  const evaluated: Evaluated[] = [];
  let [refused, filtered, withoutHull] = [0, 0, 0];
  for (const { proposal, template } of proposals) {
    const structure = substitute(fromCompactCell(template.cell), proposal);
    const composed = composedOf(structure);
    const system = composed.elements.join('-');
    if (isRuledOut(filter, propertyOf(composed, null))) {
      filtered++;
      continue;
    }
    const against = competitors[system];
    if (!against) {
      withoutHull++;
      continue;
    }
    const hull = hulls.get(system) ?? hullOf(against);
    hulls.set(system, hull);
    const values = valuesOf(model, structure, hull, ions);
    if (values === null) {
      refused++;
      continue;
    }
    evaluated.push({
      formulaReduced: composed.formulaReduced,
      cell: toCompactCell(structure),
      passes: passes(filter, propertyOf(composed, values)),
      candidate: {
        formula: displayFormula(compositionOf(structure)),
        elements: [...composed.elements],
        nsites: composed.nsites,
        space_group: template.spaceGroup,
        density: composed.density,
        template: { struct_id: template.structId, formula: template.formula },
        replaced: Object.entries(proposal.replaced)
          .filter(([from, to]) => from !== to)
          .map(([from, to]) => ({ from, to })),
        volume_ratio: proposal.volumeRatio,
        distance: proposal.distance,
        ...values,
        relaxation: null,
        relaxation_message: '',
      },
    });
  }
  return { evaluated, refused, filtered, withoutHull };
}

interface RelaxRequest extends Pick<EvaluateRequest, 'model' | 'filter' | 'ions'> {
  readonly evaluated: Evaluated;
  readonly competitors: Competitors;
}

/**
 * Relaxes a candidate and predicts it again. If that is impossible, the candidate stays as it is and
 * `relaxation_message` is the code of the reason.
 * @throws PredictionError `model-file`
 */
export function relaxCandidate({ evaluated, competitors, ...request }: RelaxRequest): Evaluated {
  const { candidate } = evaluated;
  const failed = (code: string): Evaluated => ({
    ...evaluated,
    candidate: { ...candidate, relaxation_message: code },
  });
  const relaxed = relaxGuess(fromCompactCell(evaluated.cell));
  if ('refusal' in relaxed) return failed(relaxed.refusal);
  const { structure, change } = relaxed;
  const values = valuesOf(openedModel(request.model), structure, hullOf(competitors), request.ions);
  if (values === null) return failed('not-predicted');
  const composed = composedOf(structure);
  return {
    ...evaluated,
    cell: toCompactCell(structure),
    passes: passes(request.filter, propertyOf(composed, values)),
    candidate: {
      ...candidate,
      ...values,
      density: composed.density,
      volume_ratio: roundTo(candidate.volume_ratio * (1 + change.volume_change / 100), 6),
      relaxation: { ...change, energy_above_hull_before: candidate.energy_above_hull },
    },
  };
}

// ── Duplicates among candidates and in the catalogue. Runs in worker threads ──

/** Candidates of one reduced formula, best first, and the materials of that formula in the catalogue. */
interface FormulaGroup {
  readonly candidates: readonly CompactCell[];
  readonly known: readonly { readonly structId: number; readonly cell: CompactCell }[];
}

interface Distinct {
  /** Index of the better candidate that is the same crystal; null: it is not a duplicate. */
  readonly sameAs: number | null;
  /** The material of the catalogue that is the same crystal; null: none. */
  readonly knownId: number | null;
}

/** Returns the candidates of each group in order. Crystals are compared with the matcher's default tolerances, at
 * any volume. */
export const distinctCandidates = (groups: readonly FormulaGroup[]): Distinct[][] =>
  groups.map(({ candidates, known }) => {
    const stored = known.map(({ cell }) => prepareStructure(fromCompactCell(cell)));
    const kept: { readonly place: number; readonly prepared: ReturnType<typeof prepareStructure> }[] = [];
    return candidates.map((cell, place) => {
      const candidate = prepareCandidate(fromCompactCell(cell));
      const [same] = findMatches(
        candidate,
        kept.map(({ prepared }) => prepared),
      );
      if (same) return { sameAs: kept[same.index]!.place, knownId: null };
      kept.push({ place, prepared: candidate.prepared });
      const [material] = findMatches(candidate, stored);
      return { sameAs: null, knownId: material ? known[material.index]!.structId : null };
    });
  });
