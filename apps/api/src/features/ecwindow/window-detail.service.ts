/** One electrochemical window in full, calculated from the stable phases around the material. */
import { parseStructId, type WindowDetail } from '@unitcell/contract';
import { AppError } from '../../plugins/app-error.ts';
import type { CatalogueCaches } from '../../plugins/catalogue-cache.ts';
import type { PhaseEntries } from '../../plugins/phase-entries.ts';
import { type Settled, unsettle } from '../../plugins/phase-hull.ts';
import { elementsOfFormula } from '../../plugins/phase-entries.ts';
import type { ThreadPool } from '../../threads/thread-pool.ts';
import { readWorkingIons } from './read-window-search.ts';
import type { WindowOfMaterial, WindowRequest } from './window-of-material.ts';

const CACHED_WINDOWS = 500;

export type WindowDetails = ReturnType<typeof windowDetails>;

export function windowDetails({
  entries,
  threads,
  caches,
}: {
  readonly entries: PhaseEntries;
  readonly threads: ThreadPool;
  readonly caches: CatalogueCaches;
}) {
  const windows = caches.create<WindowDetail>(CACHED_WINDOWS);

  async function make(typedId: string | number, workingIon: string, requested: string | undefined) {
    const scale = await entries.scale(requested);
    const { functional } = scale;
    const structId = parseStructId(typedId);
    const material = structId === null ? null : await entries.material(functional, structId);
    if (structId === null || material === null)
      throw new AppError('material.not-found', { id: String(typedId).slice(0, 20) });
    const { formulaReduced, formationEnergyPerAtom, spaceGroup } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    const elements = [...new Set([...elementsOfFormula(formulaReduced), workingIon])];
    const request: WindowRequest = {
      target: { structId, formulaReduced, formationEnergyPerAtom, spaceGroup },
      workingIon,
      elements,
      stablePhases: await entries.stablePhases(functional, elements),
    };
    const window = unsettle(await threads.run<Settled<WindowOfMaterial>>('windowOfMaterial', request));
    const references = await entries.elementalEnergies(functional, [workingIon]);
    return {
      error: 'false',
      message: '',
      ...window,
      ref_miu: references.get(workingIon) ?? 0,
      ...scale,
    } as const;
  }

  return {
    /** @throws AppError material.not-found, ecwindow.*, phase.* */
    async detail(
      structId: string | number,
      workIon: string | undefined,
      functional?: string,
    ): Promise<WindowDetail> {
      const ions = readWorkingIons(workIon);
      const ion = ions[0] ?? '';
      if (ions.length > 1) throw new AppError('ecwindow.unknown-ion', { text: ions.join('-'), known: ion });
      return windows.remember(`${Number(structId)} ${ion} ${functional?.trim() ?? ''}`, () =>
        make(structId, ion, functional),
      );
    },
  };
}
