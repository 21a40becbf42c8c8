/**
 * What phase diagrams, electrochemical windows and interface reactions are made of: the phases of a chemical system
 * on one energy scale, remembered until the catalogue changes.
 */
import type { EnergyScale, EnergyScaleChoice } from '@unitcell/contract';
import { subsystems } from '@unitcell/phase-equilibria';
import { AppError } from '../../messages/app-error.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { PhaseEntriesRepository, StoredPhase } from './phase-entries.repository.ts';

/** eV/atom. Phases this close to the hull count as on it when only the stable ones are read (rounding). */
const STABLE_TOLERANCE = 1e-6;
/** Systems remembered; a large one holds a few thousand phases, about 1 MB. */
const CACHED_SYSTEMS = 64;
const CACHED_SCALES = 64;

export interface PhaseEntries {
  /**
   * The scale asked for, or the site's own, with the release its hulls are of.
   * @throws AppError phase.unknown-scale
   */
  scale(requested?: string): Promise<EnergyScale>;
  /** All scales of the site: its own first, then the largest. */
  scales(): Promise<readonly EnergyScaleChoice[]>;
  /** The scale of answers to requests that name none. */
  readonly defaultFunctional: string;
  /**
   * All phases made of these elements, or some of them.
   * @throws AppError phase.no-data when nothing is known of an element
   */
  phases(functional: string, elements: readonly string[]): Promise<readonly StoredPhase[]>;
  /** The stable phases among them: what every hull, window and reaction stands on. */
  stablePhases(functional: string, elements: readonly string[]): Promise<readonly StoredPhase[]>;
  lowestOfFormula: PhaseEntriesRepository['lowestOfFormula'];
  material: PhaseEntriesRepository['material'];
  elementalEnergies: PhaseEntriesRepository['elementalEnergies'];
}

export const elementsOfFormula = (formula: string): readonly string[] => formula.match(/[A-Z][a-z]?/g) ?? [];

export function phaseEntries(
  repository: PhaseEntriesRepository,
  caches: CatalogueCaches,
  defaultFunctional: string,
): PhaseEntries {
  const systems = caches.create<readonly StoredPhase[]>(CACHED_SYSTEMS);
  const scales = caches.create<EnergyScale>(CACHED_SCALES);
  const choices = caches.create<readonly EnergyScaleChoice[]>(1);

  function assertKnown(
    functional: string,
    elements: readonly string[],
    phases: readonly StoredPhase[],
  ): void {
    const known = new Set(phases.flatMap(({ formulaReduced }) => elementsOfFormula(formulaReduced)));
    const missing = elements.filter((element) => !known.has(element));
    if (missing.length > 0) throw new AppError('phase.no-data', { elements: missing.join(', '), functional });
  }

  async function read(
    kind: 'all' | 'stable',
    functional: string,
    elements: readonly string[],
  ): Promise<readonly StoredPhase[]> {
    const names = subsystems(elements);
    const phases = await systems.remember(`${kind} ${functional} ${names.at(-1)}`, () =>
      kind === 'all'
        ? repository.phases(functional, names)
        : repository.stablePhases(functional, names, STABLE_TOLERANCE),
    );
    assertKnown(functional, elements, phases);
    return phases;
  }

  return {
    async scale(requested) {
      const functional = requested?.trim() || defaultFunctional;
      return scales.remember(functional, async () => {
        const release = (await repository.releases([functional])).get(functional) ?? null;
        if (release === null && functional !== defaultFunctional) {
          const known = (await repository.scales()).map((scale) => scale.functional);
          if (!known.includes(functional))
            throw new AppError('phase.unknown-scale', { functional, known: known.sort().join(', ') });
        }
        return { functional, release };
      });
    },
    defaultFunctional,
    scales: () =>
      choices.remember('', async () => {
        const counted = await repository.scales();
        const releases = await repository.releases(counted.map(({ functional }) => functional));
        const isOwn = ({ functional }: { readonly functional: string }) => functional === defaultFunctional;
        return counted
          .map((scale) => ({ ...scale, release: releases.get(scale.functional) ?? null }))
          .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
      }),
    phases: (functional, elements) => read('all', functional, elements),
    stablePhases: (functional, elements) => read('stable', functional, elements),
    lowestOfFormula: repository.lowestOfFormula,
    material: repository.material,
    elementalEnergies: repository.elementalEnergies,
  };
}
