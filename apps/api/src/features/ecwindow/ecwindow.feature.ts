/** Electrochemical windows: search in the derived table, and one window in full. */
import { parseStructId } from '@unitcell/contract/common';
import {
  getEcwDetail,
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
  type WindowDetail,
} from '@unitcell/contract/ecwindow';
import { MAX_SEARCH_ROWS } from '@unitcell/contract/matdata';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import { reducedFormula } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Caller } from '../../infra/task-admission.ts';
import type { ThreadHandle } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';
import type { WindowOfMaterial, WindowRequest } from './ecwindow.thread.ts';
import {
  type FoundWindows,
  readWorkingIons,
  type WindowSearch,
  windowSearch,
  windowSearchRepository,
} from './window-search.ts';

/** One electrochemical window in full, calculated from the stable phases around the material. */
const CACHED_WINDOWS = 500;

/**
 * A missing phase can only narrow the window of a stable compound or make it unstable. The limits of a
 * compound above the hull are those of its decomposition products and may move either way.
 */
const boundsOf = ({ e_above_hull, oxidation_onset }: WindowOfMaterial): Completeness['bounds'] => ({
  e_above_hull: 'lower',
  ...(e_above_hull > 0 ? {} : { reduction_onset: 'lower' }),
  ...(e_above_hull > 0 || oxidation_onset === null ? {} : { oxidation_onset: 'upper' }),
});

type WindowDetails = ReturnType<typeof windowDetails>;

function windowDetails({
  entries,
  completeness,
  threads,
  caches,
}: {
  readonly entries: PhaseEntries;
  readonly completeness: Completenesses;
  readonly threads: ThreadHandle<typeof ecwindowThread>;
  readonly caches: CatalogueCaches;
}) {
  const windows = caches.create<WindowDetail>(CACHED_WINDOWS);

  async function make(
    typedId: string | number,
    workingIon: string,
    requested: string | undefined,
    caller: Caller,
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
    const window = await threads.run('windowOfMaterial', request, caller);
    const references = await entries.elementalEnergies(functional, [workingIon]);
    return {
      error: 'false',
      message: '',
      ...window,
      ref_miu: references.get(workingIon) ?? 0,
      completeness: await completeness.of(functional, elements, (missing) =>
        // A more stable form of the material itself may move its limits either way.
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
      caller: Caller,
    ): Promise<WindowDetail> {
      const ions = readWorkingIons(workIon);
      const ion = ions[0] ?? '';
      if (ions.length > 1) throw new AppError('ecwindow.unknown-ion', { text: ions.join('-'), known: ion });
      return windows.remember(`${Number(structId)} ${ion} ${functional?.trim() ?? ''}`, () =>
        make(structId, ion, functional, caller),
      );
    },
  };
}

export function ecwindowFeature(
  app: FastifyInstance,
  { database, phaseEntries, completeness, threads, catalogueCaches }: Services,
): void {
  const handle = threads.open<typeof ecwindowThread>(new URL('./ecwindow.thread.ts', import.meta.url));
  ecwindowRoutes(
    app,
    windowSearch(windowSearchRepository(database), phaseEntries, completeness),
    windowDetails({ entries: phaseEntries, completeness, threads: handle, caches: catalogueCaches }),
  );
}

/**
 * Up to 10,000 rows are written as JSON directly, without validation by the schema. A test compares them with
 * the contract.
 */
function toJson(
  { rows, count, scale, completeness }: FoundWindows,
  t: Translate,
  extra: { formula?: string } = {},
): RawJson {
  const message = count > rows.length ? t('search.truncated', { count, limit: MAX_SEARCH_ROWS }) : '';
  return new RawJson(
    JSON.stringify({ error: 'false', message, ...extra, len: count, results: rows, completeness, ...scale }),
  );
}

function ecwindowRoutes(app: FastifyInstance, search: WindowSearch, details: WindowDetails): void {
  serveCall(app, searchWindowsByElements, async ({ body, t }) => toJson(await search.byElements(body), t));

  serveCall(app, searchWindowsByFormula, async ({ body, t }) => {
    const found = await search.byFormula(body);
    return toJson(found, t, { formula: found.formula });
  });

  serveCall(app, searchWindowsById, async ({ body, t }) => toJson(await search.byId(body), t));

  serveCall(app, getEcwDetail, ({ body, caller }) =>
    details.detail(body.struct_id, body.work_ion, body.functional, caller),
  );
}
