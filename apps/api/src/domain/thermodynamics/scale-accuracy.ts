/**
 * Accuracy of an energy scale: its formation energies against the measured enthalpies in the catalogue, by
 * class of compounds, and known failures stored with the materials.
 */
import type { ExpectedError, ScaleFailure } from '@unitcell/contract/phase-diagram';
import { type Composition, parseFormula } from '@unitcell/crystal';
import {
  compoundClass,
  type Deviations,
  type ScaleError,
  type ScaleErrors,
  scaleErrors,
} from '@unitcell/phase-equilibria';
import type { NotNull } from 'kysely';
import { z } from 'zod';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import type { StoredPhase } from './phase-entries.ts';

interface EnergyPairRow {
  readonly formulaReduced: string;
  /** eV/atom */
  readonly computed: number;
  /** eV/atom */
  readonly measured: number;
}

type ScaleAccuracyRepository = ReturnType<typeof scaleAccuracyRepository>;

export function scaleAccuracyRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** Compounds with a formation energy on this and on the measured scale. */
    async pairs(functional: string): Promise<EnergyPairRow[]> {
      return readDb
        .selectFrom('material_energy as measured')
        .innerJoin('material_energy as computed', 'computed.struct_id', 'measured.struct_id')
        .innerJoin('material', 'material.struct_id', 'measured.struct_id')
        .select('material.formula_reduced as formulaReduced')
        .select('computed.formation_energy_per_atom as computed')
        .select('measured.formation_energy_per_atom as measured')
        .where('measured.functional', '=', MEASURED_SCALE)
        .where('computed.functional', '=', functional)
        .where('measured.formation_energy_per_atom', 'is not', null)
        .where('computed.formation_energy_per_atom', 'is not', null)
        .$narrowType<{ computed: NotNull; measured: NotNull }>()
        .execute();
    },
  };
}

// ── The rules ──

/** Measured standard enthalpies of formation. */
export const MEASURED_SCALE = 'experiment-298K';

const CACHED_SCALES = 8;

export interface ScaleAccuracy {
  /**
   * Deviation for the compound's class, or for all compounds if too few compounds of this class were measured;
   * null without measurements.
   */
  errorOf(functional: string, composition: Composition): Promise<ExpectedError | null>;
  /** One deviation per class of compounds; the class with most compared compounds is first. */
  classErrorsOf(functional: string): Promise<ExpectedError[]>;
  /** Calibrated deviations of all classes, for the error of reactions. */
  deviationsOf(functional: string): Promise<Deviations>;
}

const imported = z.array(
  z.object({ scale: z.string(), stable: z.int(), en: z.string(), zh: z.string(), source: z.string() }),
);

/** Parses the scale failures of an import and ignores invalid content. */
export function readScaleFailures(provenance: unknown): ScaleFailure[] {
  const { data } = imported.safeParse(provenance);
  return (data ?? []).map(({ scale, stable, en, zh, source }) => ({
    functional: scale,
    struct_id: stable,
    text: { en, zh },
    source,
  }));
}

/** Failures of a scale for the given phases, each once. */
export function scaleFailuresOf(functional: string, phases: readonly StoredPhase[]): ScaleFailure[] {
  const all = phases.flatMap(({ scaleFailures }) => (scaleFailures ? readScaleFailures(scaleFailures) : []));
  const onScale = all.filter((failure) => failure.functional === functional);
  return [...new Map(onScale.map((failure) => [failure.text.en, failure])).values()];
}

export function scaleAccuracy(repository: ScaleAccuracyRepository, caches: CatalogueCaches): ScaleAccuracy {
  const errors = caches.create<ScaleErrors>(CACHED_SCALES);

  const errorsOfScale = (functional: string): Promise<ScaleErrors> =>
    errors.remember(functional, async () => {
      // The measured scale itself has no deviation: there is nothing to compare it with.
      const pairs = functional === MEASURED_SCALE ? [] : await repository.pairs(functional);
      return scaleErrors(
        pairs.map(({ formulaReduced, computed, measured }) => ({
          composition: parseFormula(formulaReduced),
          computed,
          measured,
        })),
      );
    });

  const toExpectedError = (kind: ExpectedError['compound_class'], error: ScaleError): ExpectedError => ({
    compound_class: kind,
    count: error.count,
    mean: error.mean,
    mean_absolute: error.meanAbsolute,
    measured_scale: MEASURED_SCALE,
  });

  return {
    async errorOf(functional, composition) {
      const kind = compoundClass(composition);
      if (kind === null) return null;
      const { byClass, all } = await errorsOfScale(functional);
      const ofClass = byClass.get(kind);
      if (ofClass) return toExpectedError(kind, ofClass);
      return all && toExpectedError(null, all);
    },

    async classErrorsOf(functional) {
      const { byClass } = await errorsOfScale(functional);
      return [...byClass]
        .map(([kind, error]) => toExpectedError(kind, error))
        .sort((one, other) => other.count - one.count);
    },

    async deviationsOf(functional) {
      const { byClass, all } = await errorsOfScale(functional);
      return {
        byClass: Object.fromEntries([...byClass].map(([kind, { calibrated }]) => [kind, calibrated])),
        all: all?.calibrated ?? null,
      };
    },
  };
}
