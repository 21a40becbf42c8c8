/** Phase diagrams of stored materials, drawn in worker threads and remembered until the catalogue changes. */
import type { ChemicalPotentials, EnergyScales, PlacedCompound } from '@unitcell/contract/phase-diagram';
import { atomicFractions, type Composition, displayFormula, parseFormula } from '@unitcell/crystal';
import { compoundSpace } from '@unitcell/phase-equilibria';
import { AppError } from '../../messages/app-error.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import { type PackedJson, packJson } from '../../http/representation.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import type { PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { ScaleTrust } from '../../domain/thermodynamics/scale-trust.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import type * as phaseDiagramThread from './phase-diagram.thread.ts';
import {
  type Component,
  type DiagramRequest,
  type DiagramTrust,
  isElement,
  type PlaceRequest,
} from './phase-diagram.thread.ts';
import { readComponents, readComposition } from './read-components.ts';

/** A diagram of a thousand phases is about 250 kB of JSON, and 50 kB more compressed. */
const CACHED_DIAGRAMS = 100;
const CACHED_REGIONS = 200;
/** Elements that compounds as corners may have together. */
const MAX_ELEMENTS = 12;

export interface PlaceInput {
  readonly include: string;
  readonly formula: string;
  readonly energyPerAtom: number;
  readonly energyKind: 'formation' | 'total';
  readonly functional?: string | undefined;
}

export type PhaseDiagrams = ReturnType<typeof phaseDiagrams>;

function elementsOf(components: readonly Component[]): string[] {
  const elements = [...new Set(components.flatMap(({ composition }) => Object.keys(composition)))];
  if (elements.length > MAX_ELEMENTS)
    throw new AppError('phase.too-many-elements', { count: elements.length, limit: MAX_ELEMENTS });
  return elements;
}

/** Whether a composition lies in the diagram: where compounds are corners, not all of their elements' phases do. */
function isInside(
  components: readonly Component[],
): (phase: { readonly composition: Composition }) => boolean {
  const space = compoundSpace(
    components.map(({ label }) => label),
    components.map(({ composition }) => composition),
  );
  return ({ composition }) => space.amountsOf(composition, new Float64Array(components.length));
}

export function phaseDiagrams({
  entries,
  completeness,
  scaleTrust,
  threads,
  caches,
}: {
  readonly entries: PhaseEntries;
  readonly completeness: Completenesses;
  readonly scaleTrust: ScaleTrust;
  readonly threads: Door<typeof phaseDiagramThread>;
  readonly caches: CatalogueCaches;
}) {
  const drawn = caches.create<PackedJson>(CACHED_DIAGRAMS);
  const regions = caches.create<ChemicalPotentials>(CACHED_REGIONS);

  async function requestFor(
    components: readonly Component[],
    functional: string | undefined,
  ): Promise<DiagramRequest> {
    const scale = await entries.scale(functional);
    const elements = elementsOf(components);
    const phases = await entries.phases(scale.functional, elements);
    return {
      components,
      phases,
      scale,
      completeness: await completeness.of(
        scale.functional,
        elements,
        { eAboveHull: 'lower' },
        isInside(components),
      ),
    };
  }

  /** How far the energies of the phases drawn can be trusted. */
  async function trustOf({
    components,
    phases,
    scale: { functional },
  }: DiagramRequest): Promise<DiagramTrust> {
    const isDrawn = isInside(components);
    const formulas = new Set(phases.map(({ formulaReduced }) => formulaReduced));
    const compositions = [...formulas].map((formula) => parseFormula(formula));
    const shown = compositions.filter((composition) => isDrawn({ composition }));
    return {
      expectedErrors: await scaleTrust.errorsOf(functional, shown),
      scaleFailures: await scaleTrust.failuresOf(
        functional,
        phases.map(({ structId }) => structId),
      ),
    };
  }

  /** Total energy per atom → formation energy per atom. */
  async function formationEnergy(
    composition: Composition,
    total: number,
    functional: string,
  ): Promise<number> {
    const fractions = Object.entries(atomicFractions(composition));
    const references = await entries.elementalEnergies(
      functional,
      fractions.map(([element]) => element),
    );
    const missing = fractions.filter(([element]) => !references.has(element));
    if (missing.length > 0)
      throw new AppError('phase.no-total-energies', {
        functional,
        elements: missing.map(([element]) => element).join(', '),
      });
    return fractions.reduce((sum, [element, share]) => sum - share * (references.get(element) ?? 0), total);
  }

  return {
    /**
     * The answer, ready to be sent.
     * @throws AppError phase.*
     */
    async draw(include: string, functional: string | undefined, asker: Asker): Promise<PackedJson> {
      const components = readComponents(include);
      const scale = await entries.scale(functional);
      const key = `${scale.functional} ${components.map(({ label }) => label).join(' ')}`;
      return drawn.remember(key, async () => {
        const request = await requestFor(components, scale.functional);
        return packJson(
          await threads.run('drawPhaseDiagram', { ...request, ...(await trustOf(request)) }, asker),
        );
      });
    },

    async scales(): Promise<EnergyScales> {
      const scales = [...(await entries.scales())];
      return { error: 'false', message: '', default: entries.defaultFunctional, scales };
    },

    /** @throws AppError phase.* */
    async place(input: PlaceInput, asker: Asker): Promise<PlacedCompound> {
      const request = await requestFor(readComponents(input.include), input.functional);
      const composition = readComposition(input.formula);
      const formationEnergyPerAtom =
        input.energyKind === 'formation'
          ? input.energyPerAtom
          : await formationEnergy(composition, input.energyPerAtom, request.scale.functional);
      const place: PlaceRequest = { ...request, composition, formationEnergyPerAtom };
      return await threads.run('placeInDiagram', place, asker);
    },

    /** @throws AppError phase.* */
    async chemicalPotentials(
      include: string,
      formula: string,
      functional: string | undefined,
      asker: Asker,
    ): Promise<ChemicalPotentials> {
      const components = readComponents(include);
      const compound = components.find((component) => !isElement(component));
      if (compound) throw new AppError('phase.not-of-elements', { components: compound.label });
      const composition = readComposition(formula);
      const name = displayFormula(composition);
      const scale = await entries.scale(functional);
      const key = [scale.functional, name, ...components.map(({ label }) => label)].join(' ');
      return regions.remember(key, async () => {
        const request = await requestFor(components, scale.functional);
        const found = await threads.run('findChemicalPotentials', { ...request, composition }, asker);
        if ('corners' in found) return found;
        throw found.eAboveHull === null
          ? new AppError('phase.no-compound', { formula: name, functional: scale.functional })
          : new AppError('phase.not-stable', {
              formula: name,
              energy: found.eAboveHull.toFixed(3),
              products: found.products,
            });
      });
    },
  };
}
