/** Worker thread: phase diagrams and values derived from them. */
import type {
  ChemicalPotentials,
  Completeness,
  EnergyScale,
  ExpectedError,
  HullLine,
  LimitingPhaseAnswer,
  PhaseDiagramData,
  PlacedCompound,
  ScaleFailure,
  StablePhases,
  UnstablePhases,
} from '@unitcell/contract/phase-diagram';
import { atomCount, type Composition, displayFormula } from '@unitcell/crystal';
import {
  buildCompoundHull,
  buildGrandPotentialHull,
  buildHull,
  chemicalPotentialRegion,
  decomposition,
  diagramCoordinates,
  type DiagramPoint,
  energyAboveHull,
  formationEnergyPerAtom,
  type Hull,
  type LimitingPhase,
  lowestEntryIndex,
  phaseDiagramGeometry,
} from '@unitcell/phase-equilibria';
import { asFigure, type CatalogueEntry, toEntries } from '../../domain/thermodynamics/phase-hull.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

// ── A phase diagram in the form of the contract. Pure; runs in a worker thread ──

export interface Component {
  /** Element symbol or formula. */
  readonly label: string;
  readonly composition: Composition;
}

/** A gas or a mixture of two that exchanges elements with the phases. */
export type OpenTo = NonNullable<PhaseDiagramData['reservoir']>;

export interface DiagramRequest {
  /** The components without the elements of a reservoir. */
  readonly components: readonly Component[];
  readonly reservoir?: OpenTo;
  readonly phases: readonly StoredPhase[];
  readonly scale: EnergyScale;
  readonly completeness: Completeness;
}

/** The accuracy of the energies of the drawn phases. */
export interface DiagramAccuracy {
  readonly expectedErrors: readonly ExpectedError[];
  readonly scaleFailures: readonly ScaleFailure[];
}

export const isElement = ({ composition }: Component): boolean => Object.keys(composition).length === 1;

/** The hull of elements, of the components' mixtures if a component is a compound, or of elements open to a gas. */
export function hullOfComponents(
  components: readonly Component[],
  phases: readonly StoredPhase[],
  reservoir?: OpenTo,
): Hull<CatalogueEntry> {
  const elements = [...new Set(components.flatMap(({ composition }) => Object.keys(composition)))];
  const entries = toEntries(
    phases,
    reservoir ? [...elements, ...Object.keys(reservoir.potentials)] : elements,
  );
  if (reservoir)
    // These are formation energies: elements have zero energy, and so have their gases at 0 K.
    return buildGrandPotentialHull(
      entries,
      reservoir.potentials,
      components.map(({ label }) => label),
    );
  return components.every(isElement)
    ? buildHull(entries, { elements: components.map(({ label }) => label) })
    : buildCompoundHull(entries, components);
}

const places = (points: readonly { readonly coordinates: readonly number[] }[]) => ({
  x: points.map(({ coordinates }) => coordinates[0] ?? 0),
  y: points.map(({ coordinates }) => coordinates[1] ?? 0),
  ...(points[0]?.coordinates.length === 3 ? { z: points.map(({ coordinates }) => coordinates[2] ?? 0) } : {}),
});

const milli = (energy: number): string => energy.toFixed(3);

const columns = (points: readonly DiagramPoint<CatalogueEntry>[]) => ({
  ...places(points),
  formula: points.map(({ formula }) => formula),
  space_group: points.map(({ entry }) => entry.spaceGroup),
  fEnergy: points.map((point) => asFigure(point.formationEnergyPerAtom)),
  eAboveHull: points.map((point) => asFigure(point.energyAboveHull)),
});

/** Returns one label per phase: formula, space group, id. */
const labelOf = ({ formula, entry }: DiagramPoint<CatalogueEntry>): string =>
  [formula, entry.spaceGroup, entry.structId === null ? '' : `#${entry.structId}`].filter(Boolean).join(' ');

function stableSeries(points: readonly DiagramPoint<CatalogueEntry>[]): StablePhases {
  return {
    name: 'Stable',
    ...columns(points),
    text: points.map((point) => `${labelOf(point)}<br>${milli(point.formationEnergyPerAtom)} eV/atom`),
    id: points.map(({ entry }) => entry.structId),
  };
}

function unstableSeries(
  hull: Hull<CatalogueEntry>,
  points: readonly DiagramPoint<CatalogueEntry>[],
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
    ...columns(points),
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

/** The answer as JSON text. It may take megabytes, so the thread writes it and the event loop only sends it. */
export function drawPhaseDiagram(request: DiagramRequest & DiagramAccuracy): string {
  const { components, phases, scale, completeness, expectedErrors, scaleFailures, reservoir } = request;
  const hull = hullOfComponents(components, phases, reservoir);
  const { corners, stable, unstable, lines } = phaseDiagramGeometry(hull);
  const answer: PhaseDiagramData = {
    error: 'false',
    message: '',
    data: [
      ...hullLines(components.length, stable, lines),
      unstableSeries(hull, unstable),
      stableSeries(stable),
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
    expected_errors: [...expectedErrors],
    scale_failures: [...scaleFailures],
    completeness,
    ...scale,
  };
  return JSON.stringify(answer);
}

// ── The chemical potentials at which a compound is stable. Pure; runs in a worker thread ──

interface PotentialsRequest extends DiagramRequest {
  readonly composition: Composition;
}

/** Reason why there is no region. */
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
  const { components, phases, composition, scale, completeness } = request;
  const hull = hullOfComponents(components, phases);
  const lowest = hull.entries[lowestEntryIndex(hull, composition)];
  const products = decomposition(hull, composition)
    .map(({ formula }) => formula)
    .join(' + ');
  if (lowest === undefined) return { eAboveHull: null, products };
  const region = chemicalPotentialRegion(hull, composition);
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

/** Worker thread: phase diagrams and values derived from them. */
