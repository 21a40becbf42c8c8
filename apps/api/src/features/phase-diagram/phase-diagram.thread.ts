/** Worker thread: phase diagrams and values derived from them. */
import type {
  ChemicalPotentials,
  Completeness,
  ExpectedError,
  HullLine,
  LimitingPhaseAnswer,
  PhaseDiagramData,
  PlacedCompound,
  ScaleFailure,
  StablePhases,
  UnstablePhases,
} from '@unitcell/contract/phase-diagram';
import type { EnergyScale } from '@unitcell/contract/common';
import { atomCount, type Composition, displayFormula } from '@unitcell/crystal';
import { roundTo } from '@unitcell/numerics';
import {
  buildCompoundHull,
  buildGrandPotentialHull,
  buildHull,
  chemicalPotentialRegion,
  compoundClass,
  decomposition,
  diagramCoordinates,
  type DiagramPoint,
  energyAboveHull,
  formationEnergyPerAtom,
  type Deviations,
  type Hull,
  type LimitingPhase,
  lowestEntryIndex,
  phaseDiagramGeometry,
  probabilityAbove,
  SPREAD_OF_MEAN_ABSOLUTE,
  verdicts,
} from '@unitcell/phase-equilibria';
import {
  asFigure,
  type CatalogueEntry,
  entriesAtTemperature,
  type EntryAtTemperature,
  errorAtTemperature,
  gibbsOf,
  toEntries,
} from '../../domain/thermodynamics/phase-hull.ts';
import type { OpenTo } from '../../domain/thermodynamics/open-gas.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

// ── A phase diagram in the form of the contract. Pure; runs in a worker thread ──

export interface Component {
  /** Element symbol or formula. */
  readonly label: string;
  readonly composition: Composition;
}

export interface DiagramRequest {
  /** The components without the elements of a reservoir. */
  readonly components: readonly Component[];
  readonly reservoir?: OpenTo;
  readonly phases: readonly StoredPhase[];
  readonly scale: EnergyScale;
  readonly completeness: Completeness;
  /** K; from 300 K the energies are Gibbs energies. */
  readonly temperature?: number;
}

export interface AccuracyOfScale {
  /** The expected errors of all classes of compounds. An answer contains only those of the drawn phases. */
  readonly classErrors: readonly ExpectedError[];
  /** Known failures of the energy scale that concern these phases. */
  readonly scaleFailures: readonly ScaleFailure[];
  readonly deviations: Deviations;
}

export const isElement = ({ composition }: Component): boolean => Object.keys(composition).length === 1;

/** The hull of elements, of the components' mixtures if a component is a compound, or of elements open to a gas. */
export const hullOfComponents = (
  components: readonly Component[],
  phases: readonly StoredPhase[],
  reservoir?: OpenTo,
): Hull<CatalogueEntry> =>
  hullOf(components, toEntries(phases, elementsOf(components, reservoir)), reservoir);

const elementsOf = (components: readonly Component[], reservoir?: OpenTo): readonly string[] => [
  ...new Set(components.flatMap(({ composition }) => Object.keys(composition))),
  ...Object.keys(reservoir?.potentials ?? {}),
];

function hullOf<Entry extends CatalogueEntry>(
  components: readonly Component[],
  entries: readonly Entry[],
  reservoir?: OpenTo,
): Hull<Entry> {
  if (reservoir)
    // Formation energies, so elements have energy 0. The potentials of a gas have the same zero: the element
    // at 0 K, or at the temperature of the hull.
    return buildGrandPotentialHull(
      entries,
      reservoir.potentials,
      components.map(({ label }) => label),
    );
  return components.every(isElement)
    ? buildHull(entries, { elements: components.map(({ label }) => label) })
    : buildCompoundHull(entries, components);
}

/** Fields of a phase that are present only in answers at a temperature. */
interface AtTemperature {
  readonly source: EntryAtTemperature['source'];
  /** eV/atom */
  readonly error: number;
  readonly isUndecided: boolean;
  readonly probability: number | null;
}

/** For each entry, the fields of its phase at the temperature; and the compounds that the hull leaves out. */
interface GibbsPart {
  readonly byEntry: ReadonlyMap<CatalogueEntry, AtTemperature>;
  readonly answer: NonNullable<PhaseDiagramData['gibbs']>;
}

/** The hull at a temperature from 300 K, with source and verdict of each phase. */
function hullAtTemperature(
  { components, phases, reservoir }: DiagramRequest,
  temperature: number,
  { deviations }: Pick<AccuracyOfScale, 'deviations'>,
): { readonly hull: Hull<CatalogueEntry>; readonly gibbs: GibbsPart } {
  const system = entriesAtTemperature(phases, elementsOf(components, reservoir), temperature);
  const { entries } = system;
  const hull = hullOf(components, entries, reservoir);
  // If the error of the scale is unknown, a verdict covers only the temperature term and has no probability.
  const isJudged = entries.every((entry) => errorAtTemperature(entry, deviations).scale !== null);
  const found = verdicts(hull, (entry) => {
    const { scale, thermal } = errorAtTemperature(entry, deviations);
    return { scale: scale ?? 0, thermal };
  });
  const byEntry = new Map(
    [...found].map(([entry, { margin, error, isUndecided }]): [CatalogueEntry, AtTemperature] => {
      const isGraded = isJudged && margin !== null && error > 0;
      return [
        entry,
        {
          source: entry.source,
          error: asFigure(error),
          isUndecided,
          probability: isGraded
            ? roundTo(probabilityAbove(margin, 0, error * SPREAD_OF_MEAN_ABSOLUTE), 3)
            : null,
        },
      ];
    }),
  );
  return { hull, gibbs: { byEntry, answer: gibbsOf(system, temperature) } };
}

const places = (points: readonly { readonly coordinates: readonly number[] }[]) => ({
  x: points.map(({ coordinates }) => coordinates[0] ?? 0),
  y: points.map(({ coordinates }) => coordinates[1] ?? 0),
  ...(points[0]?.coordinates.length === 3 ? { z: points.map(({ coordinates }) => coordinates[2] ?? 0) } : {}),
});

const milli = (energy: number): string => energy.toFixed(3);

function gibbsColumns(points: readonly DiagramPoint<CatalogueEntry>[], gibbs: GibbsPart | null) {
  if (gibbs === null) return {};
  const states = points.flatMap(({ entry }) => gibbs.byEntry.get(entry) ?? []);
  return {
    gibbs_source: states.map(({ source }) => source),
    expected_error: states.map(({ error }) => error),
    undecided: states.map(({ isUndecided }) => isUndecided),
    probability: states.map(({ probability }) => probability),
  };
}

const columns = (points: readonly DiagramPoint<CatalogueEntry>[], gibbs: GibbsPart | null) => ({
  ...places(points),
  formula: points.map(({ formula }) => formula),
  space_group: points.map(({ entry }) => entry.spaceGroup),
  fEnergy: points.map((point) => asFigure(point.formationEnergyPerAtom)),
  eAboveHull: points.map((point) => asFigure(point.energyAboveHull)),
  ...gibbsColumns(points, gibbs),
});

/** Returns one label per phase: formula, space group, id. */
const labelOf = ({ formula, entry }: DiagramPoint<CatalogueEntry>): string =>
  [formula, entry.spaceGroup, entry.structId === null ? '' : `#${entry.structId}`].filter(Boolean).join(' ');

function stableSeries(
  points: readonly DiagramPoint<CatalogueEntry>[],
  gibbs: GibbsPart | null,
): StablePhases {
  return {
    name: 'Stable',
    ...columns(points, gibbs),
    text: points.map((point) => `${labelOf(point)}<br>${milli(point.formationEnergyPerAtom)} eV/atom`),
    id: points.map(({ entry }) => entry.structId),
  };
}

function unstableSeries(
  hull: Hull<CatalogueEntry>,
  points: readonly DiagramPoint<CatalogueEntry>[],
  gibbs: GibbsPart | null,
): UnstablePhases {
  // Polymorphs share their composition object and therefore their decomposition.
  const texts = new Map<Composition, string>();
  const intoWhat = ({ entry: { composition } }: DiagramPoint<CatalogueEntry>): string => {
    const known = texts.get(composition);
    if (known !== undefined) return known;
    const text = decomposition(hull, composition)
      .map(({ formula, atomicFraction }) =>
        atomicFraction > 0.9995 ? formula : `${atomicFraction.toFixed(3)} ${formula}`,
      )
      .join(' + ');
    texts.set(composition, text);
    return text;
  };
  return {
    name: 'Unstable',
    ...columns(points, gibbs),
    text: points.map(
      (point) =>
        `${labelOf(point)}<br>${milli(point.formationEnergyPerAtom)} eV/atom, ${milli(point.energyAboveHull)} above hull<br>→ ${intoWhat(point)}`,
    ),
    tid: points.map(({ entry }) => entry.structId),
    decomposition: points.map(intoWhat),
  };
}

/** The hull of a binary is one line from left to right; other hulls are edges between stable phases. */
function hullLines(
  components: number,
  stable: readonly DiagramPoint<CatalogueEntry>[],
  lines: readonly (readonly [number, number])[],
): HullLine[] {
  if (components === 2) {
    const corners = new Set(lines.flat());
    const ordered = stable
      .filter((_, index) => corners.has(index))
      .sort((a, b) => (a.coordinates[0] ?? 0) - (b.coordinates[0] ?? 0));
    return [{ name: 'Hull', ...places(ordered) }];
  }
  return lines.map((ends) => ({
    name: 'Hull',
    ...places(ends.flatMap((index) => stable[index] ?? [])),
  }));
}

/** The expected errors of the classes to which the drawn phases belong. */
function errorsOf(
  points: readonly DiagramPoint<CatalogueEntry>[],
  classErrors: readonly ExpectedError[],
): ExpectedError[] {
  // Polymorphs share their composition object.
  const compositions = new Set(points.map(({ entry }) => entry.composition));
  const classes = new Set([...compositions].map(compoundClass));
  return classErrors.filter(({ compound_class: kind }) => classes.has(kind));
}

/** The answer as JSON text. It may take megabytes, so the thread writes it and the event loop only sends it. */
export function drawPhaseDiagram(request: DiagramRequest & AccuracyOfScale): string {
  const { components, phases, scale, completeness, classErrors, scaleFailures, reservoir, temperature } =
    request;
  const { hull, gibbs } =
    temperature === undefined
      ? { hull: hullOfComponents(components, phases, reservoir), gibbs: null }
      : hullAtTemperature(request, temperature, request);
  const { corners, stable, unstable, lines } = phaseDiagramGeometry(hull);
  const answer: PhaseDiagramData = {
    error: 'false',
    message: '',
    data: [
      ...hullLines(components.length, stable, lines),
      unstableSeries(hull, unstable, gibbs),
      stableSeries(stable, gibbs),
    ],
    annotations: corners.map(({ label, coordinates: [x = 0, y = 0, z] }) => ({
      x,
      y,
      ...(z === undefined ? {} : { z }),
      text: label,
    })),
    title: components.map(({ label }) => label).join('-'),
    components: components.map(({ label }) => label),
    ...(reservoir ? { reservoir } : {}),
    ...(gibbs ? { gibbs: gibbs.answer } : {}),
    expected_errors: errorsOf([...stable, ...unstable], classErrors),
    scale_failures: [...scaleFailures],
    completeness,
    ...scale,
  };
  return JSON.stringify(answer);
}

// ── The chemical potentials at which a compound is stable. Pure; runs in a worker thread ──

interface PotentialsRequest extends DiagramRequest {
  readonly composition: Composition;
  /**
   * Formation energy of a compound entered by the user, eV/atom; if absent, the energy in the catalogue is
   * used.
   */
  readonly ownEnergy?: number;
}

/** Reason why there is no stability region. */
interface NoRegion {
  /** eV/atom; null if no phase has the composition. */
  readonly eAboveHull: number | null;
  /** The equilibrium phases: `TiO2 + Ti`. */
  readonly products: string;
}

const answerOf = (phase: LimitingPhase<CatalogueEntry>): LimitingPhaseAnswer => ({
  formula: phase.formula,
  id: phase.entry.structId,
  amounts: [...phase.amounts],
  formation_energy: asFigure(phase.formationEnergy),
});

export function findChemicalPotentials(request: PotentialsRequest): ChemicalPotentials | NoRegion {
  const { components, phases, composition, ownEnergy, scale, completeness } = request;
  const own =
    ownEnergy === undefined
      ? null
      : {
          id: 'own',
          structId: null,
          composition,
          energy: ownEnergy * atomCount(composition),
          spaceGroup: '',
        };
  const hull =
    own === null
      ? hullOfComponents(components, phases)
      : hullOf(components, [...toEntries(phases, elementsOf(components)), own]);
  const lowest = own ?? hull.entries[lowestEntryIndex(hull, composition)];
  const products = decomposition(hull, composition)
    .map(({ formula }) => formula)
    .join(' + ');
  if (lowest === undefined) return { eAboveHull: null, products };
  const region = energyAboveHull(hull, lowest) > 0 ? null : chemicalPotentialRegion(hull, composition);
  if (region === null) return { eAboveHull: energyAboveHull(hull, lowest), products };
  return {
    error: 'false',
    message: '',
    elements: [...region.components],
    compound: answerOf(region.compound),
    limits: region.limits.map(answerOf),
    corners: region.corners.map(({ potentials, limits }) => ({
      potentials: potentials.map(asFigure),
      limits: [...limits],
    })),
    // A missing compound could only make the region smaller.
    completeness: {
      ...completeness,
      bounds: completeness.status === 'incomplete' ? { corners: 'upper' } : {},
    },
    ...scale,
  };
}

// Compares a compound that is not in the catalogue with the hull of the catalogue. Pure; runs in a worker
// thread.

export interface PlaceRequest extends DiagramRequest {
  readonly composition: Composition;
  /** Formation energy from the elements, eV/atom. */
  readonly formationEnergyPerAtom: number;
}

export function placeInDiagram(request: PlaceRequest): PlacedCompound {
  const { components, phases, composition, scale, completeness } = request;
  const hull = hullOfComponents(components, phases);
  const entry = { composition, energy: request.formationEnergyPerAtom * atomCount(composition) };
  const energy = formationEnergyPerAtom(hull, entry);
  const [x = 0, y = 0, z] = diagramCoordinates(hull, entry, energy);
  return {
    error: 'false',
    message: '',
    formula: displayFormula(composition),
    x,
    y,
    ...(z === undefined ? {} : { z }),
    fEnergy: asFigure(energy),
    eAboveHull: asFigure(energyAboveHull(hull, entry)),
    decomposition: decomposition(hull, composition).map((part) => ({
      formula: part.formula,
      id: part.entry.structId,
      fraction: part.atomicFraction,
    })),
    completeness,
    ...scale,
  };
}
