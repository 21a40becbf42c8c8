/** Phase diagrams: their own page and the panel of the material page. */
import {
  type ChemicalPotentials,
  getChemicalPotentials,
  getEmbeddedDiagram,
  getEnergyScales,
  getPhaseDiagram,
  PHASE_DIAGRAM_COMPONENTS,
  phaseDiagramHandle,
  placeCompound,
} from '@unitcell/contract/phase-diagram';
import {
  atomicFractions,
  type Composition,
  CrystalError,
  displayFormula,
  parseFormula,
} from '@unitcell/crystal';
import { compoundSpace } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { embedKeys } from '../../domain/embed-keys.ts';
import { reasonMessage } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { scaleFailuresOf } from '../../domain/thermodynamics/scale-accuracy.ts';
import { type OpenTo, readOpenGas, readPhaseTemperature } from '../../domain/thermodynamics/open-gas.ts';
import { type PackedJson, packJson, done, RawJson, serveCall } from '../../http/serve-call.ts';
import type { Caller } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as phaseDiagramThread from './phase-diagram.thread.ts';
import {
  type Component,
  type DiagramRequest,
  type AccuracyOfScale,
  isElement,
} from './phase-diagram.thread.ts';

const SEPARATORS = /[\s,;\-–—]+/;

/** @throws AppError phase.bad-component */
function readComposition(text: string): Composition {
  try {
    return parseFormula(text);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('phase.bad-component', {
      text: text.slice(0, 40),
      reason: reasonMessage(error),
    });
  }
}

/**
 * Parses `Li Mn O`, `Li2O Mn O` or `Li-Mn-O`; duplicates count once. `O2` is the element O.
 * @throws AppError phase.component-number, phase.nothing-left, phase.bad-component
 */
export function readComponents(text: string, reservoir?: OpenTo): Component[] {
  const tokens = [...new Set(text.split(SEPARATORS).filter((token) => token !== ''))];
  // Reading twice the limit is enough to report that there are too many components.
  if (tokens.length > 2 * PHASE_DIAGRAM_COMPONENTS.max)
    throw new AppError('phase.component-number', { count: tokens.length });
  const components = new Map<string, Component>();
  for (const token of tokens) {
    const composition = readComposition(token);
    const [element = '', ...others] = Object.keys(composition);
    const component =
      others.length === 0
        ? { label: element, composition: { [element]: 1 } }
        : { label: displayFormula(composition), composition };
    components.set(component.label, component);
  }
  if (reservoir) {
    for (const element of Object.keys(reservoir.potentials)) components.delete(element);
    const compound = [...components.values()].find((component) => !isElement(component));
    if (compound) throw new AppError('phase.open-compounds', { components: compound.label });
  }
  const { min, max } = PHASE_DIAGRAM_COMPONENTS;
  if (reservoir && components.size < min)
    throw new AppError('phase.nothing-left', {
      open: Object.keys(reservoir.potentials).join(', '),
      count: components.size,
    });
  if (components.size < min || components.size > max)
    throw new AppError('phase.component-number', { count: components.size });
  return [...components.values()];
}

// Phase diagrams of stored materials, made in worker threads and cached until the catalogue changes.

/** A diagram of a thousand phases is about 250 kB of JSON, plus 50 kB compressed. */
const CACHED_DIAGRAMS = 100;
const CACHED_REGIONS = 200;
/** Largest number of elements in all corners together. */
const MAX_ELEMENTS = 12;

/** Adds the elements of a reservoir to the components. */
const withOpen = (components: readonly Component[], reservoir: OpenTo | undefined): readonly Component[] =>
  reservoir
    ? [
        ...components,
        ...Object.keys(reservoir.potentials).map((label) => ({ label, composition: { [label]: 1 } })),
      ]
    : components;

function elementsOf(components: readonly Component[]): string[] {
  const elements = [...new Set(components.flatMap(({ composition }) => Object.keys(composition)))];
  if (elements.length > MAX_ELEMENTS)
    throw new AppError('phase.too-many-elements', { count: elements.length, limit: MAX_ELEMENTS });
  return elements;
}

/**
 * Returns whether a composition is inside the diagram. If compounds are corners, some phases of their elements
 * are outside.
 */
function isInside(
  components: readonly Component[],
): (phase: { readonly composition: Composition }) => boolean {
  if (components.every(isElement)) return () => true;
  const space = compoundSpace(
    components.map(({ label }) => label),
    components.map(({ composition }) => composition),
  );
  return ({ composition }) => space.amountsOf(composition, new Float64Array(components.length));
}

export function phaseDiagramFeature(
  app: FastifyInstance,
  { config, phaseEntries: entries, completeness, scaleAccuracy, threads, catalogueCaches: caches }: Services,
): void {
  const handle = threads.open<typeof phaseDiagramThread>(
    new URL('./phase-diagram.thread.ts', import.meta.url),
  );
  const drawn = caches.create<PackedJson>(CACHED_DIAGRAMS);
  const regions = caches.create<ChemicalPotentials>(CACHED_REGIONS);

  async function requestFor(
    components: readonly Component[],
    functional: string | undefined,
    reservoir?: OpenTo,
  ): Promise<DiagramRequest> {
    const scale = await entries.scale(functional);
    const all = withOpen(components, reservoir);
    const elements = elementsOf(all);
    const phases = await entries.phases(scale.functional, elements);
    return {
      components,
      ...(reservoir ? { reservoir } : {}),
      phases,
      scale,
      completeness: await completeness.of(scale.functional, elements, { eAboveHull: 'lower' }, isInside(all)),
    };
  }

  async function accuracyOf({ phases, scale: { functional } }: DiagramRequest): Promise<AccuracyOfScale> {
    return {
      deviations: await scaleAccuracy.deviationsOf(functional),
      classErrors: await scaleAccuracy.classErrorsOf(functional),
      scaleFailures: scaleFailuresOf(functional, phases),
    };
  }

  /** Converts a total energy per atom to a formation energy per atom. */
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

  async function draw(
    include: string,
    functional: string | undefined,
    caller: Caller,
    reservoir?: OpenTo,
    temperature?: number,
  ): Promise<RawJson> {
    const components = readComponents(include, reservoir);
    const scale = await entries.scale(functional);
    const gas = reservoir
      ? [reservoir, reservoir.second]
          .map((part) => (part ? `${part.gas} ${part.pressure}` : ''))
          .concat(String(reservoir.temperature))
          .join(' ')
      : '';
    const labels = withOpen(components, reservoir).map(({ label }) => label);
    const key = `${scale.functional} ${labels.join(' ')} ${gas} ${temperature ?? ''}`;
    const answer = await drawn.remember(key, async () => {
      const request = await requestFor(components, scale.functional, reservoir);
      const task = {
        ...request,
        ...(await accuracyOf(request)),
        ...(temperature === undefined ? {} : { temperature }),
      };
      return packJson(await handle.run('drawPhaseDiagram', task, caller));
    });
    return new RawJson(answer);
  }

  // The answer may take megabytes and is written as JSON in the worker thread. A test compares it with the contract.
  serveCall(app, phaseDiagramHandle, async ({ body, caller }) => {
    const temperature = readPhaseTemperature(body.temperature, body.reservoir);
    const { functional } = await entries.scale(body.functional);
    const reservoir = body.reservoir && readOpenGas(body.reservoir, functional, temperature);
    return draw(body.include, functional, caller, reservoir, temperature);
  });

  serveCall(app, getPhaseDiagram, ({ body: { include, functional }, caller }) =>
    draw(Array.isArray(include) ? include.join(' ') : include, functional, caller),
  );

  const { assertKey } = embedKeys(config);
  serveCall(app, getEmbeddedDiagram, async ({ body: { include, functional, key }, caller }) => {
    assertKey('phase', `${include}@${functional}`, key);
    return draw(include, functional, caller);
  });

  serveCall(app, placeCompound, async ({ body, caller }) => {
    const request = await requestFor(readComponents(body.include), body.functional);
    const composition = readComposition(body.formula);
    const formationEnergyPerAtom =
      body.energy_kind === 'formation'
        ? body.energy_per_atom
        : await formationEnergy(composition, body.energy_per_atom, request.scale.functional);
    return handle.run('placeInDiagram', { ...request, composition, formationEnergyPerAtom }, caller);
  });

  serveCall(app, getChemicalPotentials, async ({ body, caller }) => {
    const components = readComponents(body.include);
    const compound = components.find((component) => !isElement(component));
    if (compound) throw new AppError('phase.not-of-elements', { components: compound.label });
    const composition = readComposition(body.formula);
    const name = displayFormula(composition);
    const scale = await entries.scale(body.functional);
    const { energy_per_atom: ownEnergy } = body;
    const key = [scale.functional, name, ownEnergy ?? '', ...components.map(({ label }) => label)].join(' ');
    return regions.remember(key, async () => {
      const request = await requestFor(components, scale.functional);
      const own = ownEnergy === undefined ? {} : { ownEnergy };
      const found = await handle.run('findChemicalPotentials', { ...request, composition, ...own }, caller);
      if ('corners' in found) return found;
      throw found.eAboveHull === null
        ? new AppError('phase.no-compound', { formula: name, functional: scale.functional })
        : new AppError('phase.not-stable', {
            formula: name,
            energy: found.eAboveHull.toFixed(3),
            products: found.products,
          });
    });
  });

  serveCall(app, getEnergyScales, async () => ({
    ...done,
    default: entries.defaultFunctional,
    scales: [...(await entries.scales())],
  }));
}
