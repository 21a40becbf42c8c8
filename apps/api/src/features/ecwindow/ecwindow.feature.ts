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
import type { Completeness, EnergyScale } from '@unitcell/contract/phase-diagram';
import { reducedFormula } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import {
  boundedText,
  canonicalFormula,
  DEFAULT_FORMULA,
  parseElementQuery,
} from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { type OpenTo, readOpenGas, readPhaseTemperature } from '../../domain/thermodynamics/open-gas.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { Target } from '../../domain/thermodynamics/phase-hull.ts';
import { readReactantFormula } from '../../domain/thermodynamics/reactants.ts';
import { done, RawJson, serveCall } from '../../http/serve-call.ts';
import type { Caller } from '../../infra/task-admission.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';
import type { WindowOfMaterial, WindowRequest } from './ecwindow.thread.ts';
import {
  type FoundWindows,
  isNarrowed,
  readWindowFilters,
  readWorkingIons,
  windowSearch,
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

export function ecwindowFeature(app: FastifyInstance, services: Services): void {
  const { phaseEntries: entries, completeness, scaleAccuracy, threads, catalogueCaches } = services;
  const handle = threads.open<typeof ecwindowThread>(new URL('./ecwindow.thread.ts', import.meta.url));
  const windows = catalogueCaches.create<WindowDetail>(CACHED_WINDOWS);
  const find = windowSearch(services);

  /** @throws AppError material.not-found, ecwindow.no-energy */
  async function targetOf(typedId: string | number, functional: string): Promise<Target> {
    const typed = parseStructId(typedId);
    const material = typed === null ? null : await entries.material(functional, typed);
    if (material === null) throw new AppError('material.not-found', { id: String(typedId).slice(0, 20) });
    const { structId, formulaReduced, formationEnergyPerAtom, spaceGroup } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    return { structId, formulaReduced, formationEnergyPerAtom, spaceGroup };
  }

  /** A compound of the user's own. @throws AppError ecwindow.no-material, interface.bad-reactant */
  function ownTarget(compound: string | undefined, energy: number | undefined): Target {
    if (compound === undefined || energy === undefined) throw new AppError('ecwindow.no-material');
    const formulaReduced = readReactantFormula(compound);
    return { structId: null, formulaReduced, formationEnergyPerAtom: energy, spaceGroup: '' };
  }

  async function make(
    target: Target,
    workingIon: string,
    scale: EnergyScale,
    caller: Caller,
    reservoir?: OpenTo,
    temperature?: number,
  ) {
    const { functional } = scale;
    const { formulaReduced } = target;
    const own = elementsOfFormula(formulaReduced);
    const open = Object.keys(reservoir?.potentials ?? {});
    if (reservoir && own.every((element) => element === workingIon || open.includes(element)))
      throw new AppError('ecwindow.nothing-left', {
        id: target.structId ?? formulaReduced,
        elements: [workingIon, ...open].join(', '),
      });
    const elements = [...new Set([...own, workingIon, ...open])];
    const request: WindowRequest = {
      target,
      workingIon,
      elements,
      // Phases that are not stable at 0 K may be stable at the requested temperature.
      phases:
        temperature === undefined
          ? await entries.stablePhases(functional, elements)
          : await entries.phases(functional, elements),
      ...(reservoir ? { reservoir } : {}),
      ...(temperature === undefined
        ? {}
        : { at: { temperature, deviations: await scaleAccuracy.deviationsOf(functional) } }),
    };
    const window = await handle.run('windowOfMaterial', request, caller);
    const references = await entries.elementalEnergies(functional, [workingIon]);
    return {
      ...done,
      ...window,
      ref_miu: references.get(workingIon) ?? 0,
      ...(reservoir ? { reservoir } : {}),
      completeness: await completeness.of(functional, elements, (missing) =>
        // A more stable form of the same material may move the limits either way.
        missing.some(({ composition }) => reducedFormula(composition) === formulaReduced)
          ? {}
          : boundsOf(window),
      ),
      ...scale,
    } as const;
  }

  // An empty search box lists everything that fulfils the advanced options.
  serveCall(app, searchWindowsByElements, async ({ body, t }) => {
    const filters = readWindowFilters(body);
    const text = boundedText(body.include);
    if (text === '' && isNarrowed(filters))
      return toJson(await find({ kind: 'all' }, filters, body.functional), t);
    const { elements, isWildcard } = parseElementQuery(text);
    const kind = isWildcard ? 'at-least' : 'exactly';
    return toJson(await find({ kind, elements }, filters, body.functional), t);
  });

  serveCall(app, searchWindowsByFormula, async ({ body, t }) => {
    const { reduced: formulaReduced, shown } = canonicalFormula(boundedText(body.include) || DEFAULT_FORMULA);
    const filters = readWindowFilters(body);
    const found = await find({ kind: 'formula', formulaReduced }, filters, body.functional);
    return toJson(found, t, { formula: shown });
  });

  serveCall(app, searchWindowsById, async ({ body, t }) => {
    const text = boundedText(String(body.include));
    if (!/^\d+$/.test(text)) throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
    // An id that is too large belongs to no material.
    const structId = parseStructId(text) ?? -1;
    return toJson(await find({ kind: 'id', structId }, readWindowFilters(body), body.functional), t);
  });

  serveCall(app, getEcwDetail, async ({ body, caller }) => {
    const { struct_id, compound, compound_energy, reservoir } = body;
    const [ion = '', ...others] = readWorkingIons(body.work_ion);
    if (others.length > 0)
      throw new AppError('ecwindow.unknown-ion', { text: [ion, ...others].join('-'), known: ion });
    const scale = await entries.scale(body.functional);
    const { functional } = scale;
    const temperature = readPhaseTemperature(body.temperature, reservoir);
    const gas = reservoir && readOpenGas(reservoir, functional, temperature);
    if (struct_id === undefined)
      return make(ownTarget(compound, compound_energy), ion, scale, caller, gas, temperature);
    const key = [Number(struct_id), ion, functional, temperature ?? '', gas ? JSON.stringify(gas) : ''];
    return windows.remember(key.join(' '), async () =>
      make(await targetOf(struct_id, functional), ion, scale, caller, gas, temperature),
    );
  });
}
