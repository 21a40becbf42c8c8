/**
 * Client of a Unitcell site for programs: `const site = connect({ url, key })`. It uses only `fetch`, in Node and in
 * browsers.
 */
import type { CallRequest } from '@unitcell/contract';
import {
  changeCollection,
  dashboardHandle,
  getBandData,
  getCollection,
  getLatticeStructure,
  listCollections,
  removeCollection,
  removeSearch,
  run4uCancel,
  run4uDetail,
  run4uHandle,
  run4uSubmit,
  saveCollection,
  saveSearch,
  shareCollection,
} from '@unitcell/contract/calls';
import type { Collection, CollectionDetail, SavedSearch } from '@unitcell/contract/collections';
import type { WorkingIon } from '@unitcell/contract/ecwindow/rules';
import type { Dashboard, PotentialName, PredictedTask } from '@unitcell/contract/run4u';
import {
  type Connection,
  connection,
  type ConnectionOptions,
  pause,
  type SendOptions,
  SiteError,
} from './connection.ts';
import { coatings, electrodes, interfaces, phaseDiagrams, stability, windows } from './diagrams.ts';
import { dumps, files, materials } from './materials.ts';
import { patterns } from './patterns.ts';
import { design, predictions } from './predictions.ts';

/** A crystal as JSON: lattice and sites. */
type StructureJson = Extract<CallRequest<typeof run4uSubmit>['structure'], object>;

/** Milliseconds between two requests for the state of a prediction. */
const LOOK_EVERY = 1000;

/** Calculations and predictions of submitted structures. */
function run4u({ call }: Connection) {
  async function readStructure(name: string, content: Blob, sending: SendOptions): Promise<StructureJson> {
    const form = new FormData();
    form.append('cif-file', content, name);
    const read = await call(run4uHandle, form, sending);
    if (!('structure' in read)) throw new SiteError(200, 'Only CIF or VASP format file is valid !');
    return read.structure;
  }
  async function send(body: CallRequest<typeof run4uSubmit>, sending: SendOptions) {
    const done = await call(run4uSubmit, { submit: true, ...body }, { ...sending, again: false });
    if ('id' in done && done.id !== undefined) return { ...done, id: done.id };
    if (!('limit' in done)) throw new SiteError(200, done.message);
    throw new SiteError(200, `${done.limit} daily submissions are used up`, { code: 'run4u.full' });
  }
  return {
    dashboard: (sending?: SendOptions): Promise<Dashboard> => call(dashboardHandle, {}, sending),
    detail: (id: number, sending?: SendOptions) => call(run4uDetail, { id }, sending),
    cancel: (id: number, sending?: SendOptions) => call(run4uCancel, { id }, sending),

    /** Submits a CIF or POSCAR. @throws SiteError when it cannot be calculated or the quota is used up */
    async submit(name: string, content: Blob, sending: SendOptions = {}) {
      return send({ structure: await readStructure(name, content, sending) }, sending);
    },

    /**
     * Relaxes a crystal by the built-in potential, compares it with known phases, and predicts the properties of
     * `tasks`; waits for the result. `ion` is the ion of the task `barrier`;
     * `potential` is `sevennet-0` (default) or `sevennet-l3i5`. @throws SiteError when it cannot be predicted or the quota is used up
     */
    async calculate(
      structure: StructureJson | { readonly name: string; readonly content: Blob },
      tasks: readonly PredictedTask[] = [],
      {
        ion,
        potential,
        ...sending
      }: SendOptions & { readonly ion?: WorkingIon; readonly potential?: PotentialName } = {},
    ) {
      const read =
        'content' in structure ? await readStructure(structure.name, structure.content, sending) : structure;
      const { id } = await send(
        {
          structure: read,
          method: 'prediction',
          tasks: [...tasks],
          ...(ion && { ion }),
          ...(potential && { potential }),
        },
        sending,
      );
      for (;;) {
        const { row } = await call(run4uDetail, { id }, sending);
        // An unfinished submission may have a relaxed crystal, but no results of the tasks yet.
        if (row.status === 'finished' && row.predicted) return row.predicted;
        if (row.status !== 'queued' && row.status !== 'running')
          throw new SiteError(200, row.reason || row.status, { code: `run4u.${row.status}` });
        await pause(LOOK_EVERY, sending.signal);
      }
    },
  };
}

/** Bands of plane nets. */
function tightBinding({ call }: Connection) {
  return {
    net: (gridId: string, sending?: SendOptions) => call(getLatticeStructure, { grid_id: gridId }, sending),
    bands: (
      gridId: string,
      options: Omit<CallRequest<typeof getBandData>, 'grid_id'> = {},
      sending?: SendOptions,
    ) => call(getBandData, { grid_id: gridId, ...options }, sending),
  };
}

/** Collections of materials, and saved searches. */
function collections({ call }: Connection) {
  const once = (sending: SendOptions = {}): SendOptions => ({ ...sending, again: false });
  return {
    all: async (sending?: SendOptions): Promise<readonly Collection[]> =>
      (await call(listCollections, {}, sending)).collections,
    get: async (id: number, sending?: SendOptions): Promise<CollectionDetail> =>
      (await call(getCollection, { id }, sending)).collection,
    /** Reads a shared collection. */
    shared: async (key: string, sending?: SendOptions): Promise<CollectionDetail> =>
      (await call(getCollection, { key }, sending)).collection,
    create: async (
      name: string,
      structIds: readonly number[] = [],
      { note = '', ...sending }: SendOptions & { readonly note?: string } = {},
    ): Promise<CollectionDetail> =>
      (await call(saveCollection, { name, note, add: [...structIds] }, once(sending))).collection,
    add: async (id: number, structIds: readonly number[], sending?: SendOptions): Promise<CollectionDetail> =>
      (await call(changeCollection, { id, add: [...structIds] }, once(sending))).collection,
    remove: async (
      id: number,
      structIds: readonly number[],
      sending?: SendOptions,
    ): Promise<CollectionDetail> =>
      (await call(changeCollection, { id, remove: [...structIds] }, once(sending))).collection,
    /** Shares a collection under the returned key, or stops sharing. */
    share: async (id: number, isShared = true, sending?: SendOptions): Promise<string | null> =>
      (await call(shareCollection, { id, is_shared: isShared }, once(sending))).share_key,
    delete: async (id: number, sending?: SendOptions): Promise<void> =>
      void (await call(removeCollection, { id }, once(sending))),
    searches: async (sending?: SendOptions): Promise<readonly SavedSearch[]> =>
      (await call(listCollections, {}, sending)).searches,
    saveSearch: async (
      name: string,
      filter: string,
      { scale = '', ...sending }: SendOptions & { readonly scale?: string } = {},
    ): Promise<SavedSearch> =>
      (await call(saveSearch, { name, filter, ...(scale ? { scale } : {}) }, once(sending))).search,
    deleteSearch: async (id: number, sending?: SendOptions): Promise<void> =>
      void (await call(removeSearch, { id }, once(sending))),
  };
}

export type Client = ReturnType<typeof connect>;

/**
 * Connects to a site. Answers have the types of the contract, with one name for each quantity. Every function throws a
 * SiteError for a refusal.
 */
export function connect(options: ConnectionOptions) {
  const line = connection(options);
  return {
    ...line,
    materials: materials(line),
    files: files(line),
    dumps: dumps(line),
    patterns: patterns(line),
    phaseDiagrams: phaseDiagrams(line),
    windows: windows(line),
    electrodes: electrodes(line),
    interfaces: interfaces(line),
    coatings: coatings(line),
    stability: stability(line),
    tightBinding: tightBinding(line),
    predictions: predictions(line),
    design: design(line),
    collections: collections(line),
    run4u: run4u(line),
  };
}
