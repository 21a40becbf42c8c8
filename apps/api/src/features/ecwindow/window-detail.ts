/** One electrochemical window in full, calculated from the stable phases around the material. */
import { parseStructId } from '@unitcell/contract/common';
import type { WindowDetail } from '@unitcell/contract/ecwindow';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import { reducedFormula } from '@unitcell/crystal';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';
import type { WindowOfMaterial, WindowRequest } from './ecwindow.thread.ts';
import { readWorkingIons } from './read-window-search.ts';

const CACHED_WINDOWS = 500;

/**
 * A missing phase takes from the window of a stable compound, or makes it unstable. The limits of a compound that is not
 * on the hull are those of what it decomposes into, and may move either way.
 */
const boundsOf = ({ e_above_hull, oxidation_onset }: WindowOfMaterial): Completeness['bounds'] => ({
  e_above_hull: 'lower',
  ...(e_above_hull > 0 ? {} : { reduction_onset: 'lower' }),
  ...(e_above_hull > 0 || oxidation_onset === null ? {} : { oxidation_onset: 'upper' }),
});

export type WindowDetails = ReturnType<typeof windowDetails>;

export function windowDetails({
  entries,
  completeness,
  threads,
  caches,
}: {
  readonly entries: PhaseEntries;
  readonly completeness: Completenesses;
  readonly threads: Door<typeof ecwindowThread>;
  readonly caches: CatalogueCaches;
}) {
  const windows = caches.create<WindowDetail>(CACHED_WINDOWS);

  async function make(
    typedId: string | number,
    workingIon: string,
    requested: string | undefined,
    asker: Asker,
  ) {
    const scale = await entries.scale(requested);
    const { functional } = scale;
    const typed = parseStructId(typedId);
    const material = typed === null ? null : await entries.material(functional, typed);
    if (material === null) throw new AppError('material.not-found', { id: String(typedId).slice(0, 20) });
    const { structId, formulaReduced, formationEnergyPerAtom, spaceGroup } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    const elements = [...new Set([...elementsOfFormula(formulaReduced), workingIon])];
    const request: WindowRequest = {
      target: { structId, formulaReduced, formationEnergyPerAtom, spaceGroup },
      workingIon,
      elements,
      stablePhases: await entries.stablePhases(functional, elements),
    };
    const window = await threads.run('windowOfMaterial', request, asker);
    const references = await entries.elementalEnergies(functional, [workingIon]);
    return {
      error: 'false',
      message: '',
      ...window,
      ref_miu: references.get(workingIon) ?? 0,
      completeness: await completeness.of(functional, elements, (missing) =>
        // A deeper form of the material itself may move its limits either way.
        missing.some(({ composition }) => reducedFormula(composition) === formulaReduced)
          ? {}
          : boundsOf(window),
      ),
      ...scale,
    } as const;
  }

  return {
    /** @throws AppError material.not-found, ecwindow.*, phase.* */
    async detail(
      structId: string | number,
      workIon: string | undefined,
      functional: string | undefined,
      asker: Asker,
    ): Promise<WindowDetail> {
      const ions = readWorkingIons(workIon);
      const ion = ions[0] ?? '';
      if (ions.length > 1) throw new AppError('ecwindow.unknown-ion', { text: ions.join('-'), known: ion });
      return windows.remember(`${Number(structId)} ${ion} ${functional?.trim() ?? ''}`, () =>
        make(structId, ion, functional, asker),
      );
    },
  };
}
