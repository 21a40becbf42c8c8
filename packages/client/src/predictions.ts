/**
 * Predictions by the site's networks, and searches for new compounds with them. Energies are in eV/atom, moduli in GPa.
 */
import type { CallRequest } from '@unitcell/contract';
import {
  cancelDesign,
  designStructure,
  getDesign,
  listDesigns,
  modelCard,
  predict,
  predictionScore,
  startDesign,
} from '@unitcell/contract/calls';
import type { DesignRun } from '@unitcell/contract/design';
import type { PredictionResult } from '@unitcell/contract/prediction';
import { type Connection, pause, type SendOptions } from './connection.ts';
import { named } from './names.ts';

const withNames = ({ hull, relaxed, ...values }: PredictionResult) => ({
  ...values,
  hull: hull && named(hull),
  relaxed: relaxed && { ...relaxed, hull: relaxed.hull && named(relaxed.hull) },
});

export function predictions({ call }: Connection) {
  const ask = async (body: CallRequest<typeof predict>, sending?: SendOptions) =>
    withNames(await call(predict, body, sending));
  return {
    /**
     * Predictions for your own crystal, from the text of a CIF or POSCAR file. Each value has its 90 % interval. With `relax`
     * the answer also has the predictions for the relaxed crystal.
     */
    of: (
      structure: string,
      fileName = 'structure.cif',
      { relax, ...sending }: SendOptions & { readonly relax?: boolean } = {},
    ) => ask({ structure, file_name: fileName, ...(relax && { relax }) }, sending),
    /**
     * Predictions for the most stable crystal of a formula, with wider intervals, and of its measured gap.
     */
    ofFormula: (formula: string, sending?: SendOptions) => ask({ formula }, sending),
    ofMaterial: (structId: number, sending?: SendOptions) => ask({ struct_id: structId }, sending),
    /** The training data of the model, and its errors on unseen chemical systems. */
    model: (sending?: SendOptions) => call(modelCard, undefined, sending),
    /** Predictions for submitted structures, compared with later calculations. */
    score: (sending?: SendOptions) => call(predictionScore, undefined, sending),
  };
}

const isOver = ({ status }: DesignRun): boolean => status !== 'queued' && status !== 'running';

export function design({ call }: Connection) {
  const run = async (id: number, sending?: SendOptions): Promise<DesignRun> =>
    (await call(getDesign, { id }, sending)).run;
  return {
    /** Starts a search for new compounds of the given elements in known crystal structures. */
    async start(
      elements: readonly string[],
      nelements: number,
      options: Omit<CallRequest<typeof startDesign>, 'elements' | 'nelements'> = {},
      sending: SendOptions = {},
    ): Promise<DesignRun> {
      const body = { ...options, elements: [...elements], nelements };
      const { id } = await call(startDesign, body, { ...sending, again: false });
      return run(id, sending);
    },
    run,
    /** The searches of the account, newest first. */
    runs: async (sending?: SendOptions): Promise<readonly DesignRun[]> =>
      (await call(listDesigns, {}, sending)).runs,
    /** The results of a search; the lowest predicted energy above the hull comes first. */
    candidates: async (id: number, sending?: SendOptions) =>
      (await call(getDesign, { id }, sending)).candidates,
    /** Waits until a search is finished. Aborting ends the waiting, but not the search. */
    async wait(
      id: number,
      { every = 2000, ...sending }: SendOptions & { readonly every?: number } = {},
    ): Promise<DesignRun> {
      let state = await run(id, sending);
      while (!isOver(state)) {
        await pause(every, sending.signal);
        state = await run(id, sending);
      }
      return state;
    },
    /** The cell of a candidate, with its CIF. */
    structure: (id: number, rank: number, sending?: SendOptions) =>
      call(designStructure, { id, rank }, sending),
    cancel: (id: number, sending?: SendOptions) => call(cancelDesign, { id }, sending),
  };
}
