/** A Unitcell site for programs: `const site = connect({ url, key })`. By `fetch` alone, in Node and in browsers. */
import {
  type CallAnswer,
  type CallRequest,
  dashboardHandle,
  downloadScreened,
  getBandData,
  getChemicalPotentials,
  getEcwDetail,
  getEnergyScales,
  getLatticeStructure,
  getStructDetail,
  getXrdHandle,
  getXrdHandle2,
  interfaceReceive,
  phaseDiagramHandle,
  placeCompound,
  run4uCancel,
  run4uDetail,
  run4uHandle,
  run4uSubmit,
  screenMaterials,
  searchByElements,
  searchByFormula,
  searchByStructId,
  searchWindowsByElements,
  searchWindowsByFormula,
  xrdCancel,
  xrdMatch,
  xrdProgress,
  xrdReceive,
} from '@unitcell/contract/calls';
import type { MaterialDetail, ScreenedMaterial } from '@unitcell/contract/matdata';
import { MAX_SCREEN_ROWS } from '@unitcell/contract/matdata/rules';
import type { Dashboard } from '@unitcell/contract/run4u';
import type { MatchProgress, MatchResult } from '@unitcell/contract/xrd';
import {
  type Connection,
  connection,
  type ConnectionOptions,
  type SendOptions,
  SiteError,
} from './connection.ts';

type Cell = keyof MaterialDetail['structures'];

/** Files of one material, of what a filter finds, and the dumps of the catalogue. */
function files({ file }: Connection) {
  const text = async (path: string, sending?: SendOptions): Promise<string> =>
    (await file(path, sending)).text();
  return {
    /** A cell as CIF; the conventional one with its space group. */
    cif: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.cif?cell=${cell}`, sending),
    poscar: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.poscar?cell=${cell}`, sending),
    xyz: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.xyz?cell=${cell}`, sending),
    /** All materials a filter finds as one file, while it is written. */
    download: (body: CallRequest<typeof downloadScreened>, sending?: SendOptions): Promise<Response> =>
      file({ call: downloadScreened, body }, sending),
  };
}

/** First-principles calculations on structures of one's own. */
function run4u({ call }: Connection) {
  return {
    dashboard: (sending?: SendOptions): Promise<Dashboard> => call(dashboardHandle, {}, sending),
    detail: (id: number, sending?: SendOptions) => call(run4uDetail, { id }, sending),
    cancel: (id: number, sending?: SendOptions) => call(run4uCancel, { id }, sending),

    /** Submits a CIF or POSCAR. @throws SiteError when it cannot be calculated or the quota is used up */
    async submit(name: string, content: Blob, sending: SendOptions = {}) {
      const form = new FormData();
      form.append('cif-file', content, name);
      const read = await call(run4uHandle, form, sending);
      if (!('structure' in read)) throw new SiteError(200, 'Only CIF or VASP format file is valid !');
      const body = { submit: true, structure: read.structure };
      const done = await call(run4uSubmit, body, { ...sending, again: false });
      if (!('id' in done) || done.id === undefined) throw new SiteError(200, done.message);
      return done;
    },
  };
}

type Screened = CallAnswer<typeof screenMaterials>;
interface FindOptions extends SendOptions {
  /** A column, with a hyphen in front for the falling order. */
  readonly sort?: string;
  /** Energy scale; the site's own when absent. */
  readonly scale?: string;
  /** Columns; those of the searches when absent. */
  readonly fields?: string[];
  /** No more rows than these. */
  readonly limit?: number;
}

/** Searching, screening and opening materials. */
function materials({ call }: Connection) {
  /** What a filter finds, a page of at most 1,000 rows at a time. */
  async function* pages(
    filter: CallRequest<typeof screenMaterials>['filter'],
    { limit, signal, again = true, ...asked }: FindOptions = {},
  ): AsyncGenerator<Screened> {
    const sending = signal ? { signal, again } : { again };
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (let cursor: string | null = ''; cursor !== null && left > 0; ) {
      const size = Math.min(left, MAX_SCREEN_ROWS);
      const body = { filter, ...asked, limit: size, ...(cursor === '' ? {} : { cursor }) };
      const page: Screened = await call(screenMaterials, body, sending);
      yield page;
      left -= page.rows.length;
      cursor = page.next;
    }
  }

  return {
    pages,

    /** Every row a filter finds, by name, in order; pages are asked for while it goes on. */
    async *find(
      filter: CallRequest<typeof screenMaterials>['filter'],
      options: FindOptions = {},
    ): AsyncGenerator<ScreenedMaterial> {
      for await (const { fields, rows } of pages(filter, options))
        for (const row of rows) yield Object.fromEntries(fields.map((name, index) => [name, row[index]]));
    },

    /** Exactly these elements (`Ti-O`) or at least these (`Ti-O-*`). */
    byElements: (include: string, sending?: SendOptions) => call(searchByElements, { include }, sending),
    byFormula: (include: string, sending?: SendOptions) => call(searchByFormula, { include }, sending),
    byId: (include: number | string, sending?: SendOptions) => call(searchByStructId, { include }, sending),
    detail: (structId: number | string, sending?: SendOptions): Promise<MaterialDetail> =>
      call(getStructDetail, { struct_id: structId }, sending),
  };
}

interface MatchOptions extends SendOptions {
  /** Called while it waits. */
  readonly onProgress?: (progress: MatchProgress) => void;
  /** Milliseconds between two looks. */
  readonly every?: number;
}

/** Not randomUUID, which browsers have on https alone. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Powder patterns: calculated ones, and which materials a measured one is. */
function patterns({ call }: Connection) {
  return {
    /** For Cu Kα and crystallites of 200 nm, or for a wavelength (Å) and a size (nm). */
    calculated: (
      structId: number,
      as?: { wavelength: number; crystalSize: number },
      sending?: SendOptions,
    ) =>
      as === undefined
        ? call(getXrdHandle, { struct_id: structId }, sending)
        : call(getXrdHandle2, { struct_id: structId, ...as }, sending),

    /** Has the site read a file of two or three columns. */
    read(name: string, content: Blob, sending?: SendOptions) {
      const form = new FormData();
      form.append('xrd-file', content, name);
      return call(xrdReceive, form, sending);
    },

    /** Waits until the match is done; an abort stops it on the site, too. */
    async match(
      request: Omit<CallRequest<typeof xrdMatch>, 'match_id'>,
      { onProgress, every = 500, signal }: MatchOptions = {},
    ): Promise<MatchResult> {
      const matchId = newId();
      const stop = () => void call(xrdCancel, { match_id: matchId }, { again: false }).catch(() => undefined);
      signal?.addEventListener('abort', stop);
      let looking = false;
      const look = setInterval(() => {
        if (looking || !onProgress) return;
        looking = true;
        call(xrdProgress, { match_id: matchId })
          .then(onProgress, () => undefined)
          .finally(() => {
            looking = false;
          });
      }, every);
      try {
        return await call(
          xrdMatch,
          { ...request, match_id: matchId },
          { again: false, ...(signal ? { signal } : {}) },
        );
      } finally {
        clearInterval(look);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}

export type Client = ReturnType<typeof connect>;

/** Requests and answers are those of the contract; every function throws a SiteError for a refusal. */
export function connect(options: ConnectionOptions) {
  const line = connection(options);
  const { call } = line;
  return {
    ...line,
    materials: materials(line),
    files: files(line),
    patterns: patterns(line),
    phaseDiagrams: {
      /** Two to four elements or compounds: `Li-Fe-O`, `Li2O MnO2`. */
      of: (include: string, sending?: SendOptions) => call(phaseDiagramHandle, { include }, sending),
      place: (body: CallRequest<typeof placeCompound>, sending?: SendOptions) =>
        call(placeCompound, body, sending),
      /** At which a compound on the hull of these elements is stable. */
      chemicalPotentials: (body: CallRequest<typeof getChemicalPotentials>, sending?: SendOptions) =>
        call(getChemicalPotentials, body, sending),
      scales: (sending?: SendOptions) => call(getEnergyScales, undefined, sending),
    },
    windows: {
      /** Against Li unless another working ion is named. */
      of: (body: CallRequest<typeof getEcwDetail>, sending?: SendOptions) =>
        call(getEcwDetail, body, sending),
      byElements: (body: CallRequest<typeof searchWindowsByElements>, sending?: SendOptions) =>
        call(searchWindowsByElements, body, sending),
      byFormula: (body: CallRequest<typeof searchWindowsByFormula>, sending?: SendOptions) =>
        call(searchWindowsByFormula, body, sending),
    },
    interfaces: {
      react: (body: CallRequest<typeof interfaceReceive>, sending?: SendOptions) =>
        call(interfaceReceive, body, sending),
    },
    tightBinding: {
      net: (gridId: string, sending?: SendOptions) => call(getLatticeStructure, { grid_id: gridId }, sending),
      bands: (body: CallRequest<typeof getBandData>, sending?: SendOptions) =>
        call(getBandData, body, sending),
    },
    run4u: run4u(line),
  };
}
