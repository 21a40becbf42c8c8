/** The catalogue: search, screening, single materials, their files, and dumps. */
import type { CallAnswer, CallRequest } from '@unitcell/contract';
import {
  downloadScreened,
  getPhononModes,
  getPhonons,
  getStructDetail,
  listReleases,
  screenMaterials,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract/calls';
import type {
  MaterialDetail,
  MaterialPhonons,
  PhononModes,
  ScreenColumn,
  ScreenedMaterial,
  SearchColumn,
  PublishedRelease,
  ReleaseFile,
} from '@unitcell/contract/matdata';
import { MAX_SCREEN_ROWS } from '@unitcell/contract/matdata/rules';
import { type Connection, type SendOptions, SiteError } from './connection.ts';

type Cell = keyof MaterialDetail['structures'];
type Filter = NonNullable<CallRequest<typeof screenMaterials>['filter']>;
type Screened = CallAnswer<typeof screenMaterials>;

export interface ScreenOptions extends SendOptions {
  /** A column; a hyphen before it means descending order. */
  readonly sort?: string;
  /** Energy scale; by default that of the site. */
  readonly scale?: string;
  /** Only materials stable at this temperature (K) and oxygen pressure (bar; default 0.21, as in air). */
  readonly stableInOxygen?: { readonly temperature: number; readonly pressure?: number };
}

const inOxygen = ({ stableInOxygen: oxygen }: Pick<ScreenOptions, 'stableInOxygen'>) =>
  oxygen ? { stable_in_oxygen: { ...oxygen } } : {};

export interface FindOptions<Column extends ScreenColumn> extends ScreenOptions {
  /** Columns, as in a filter, and expressions in square brackets; by default the columns of the searches. */
  readonly fields?: readonly Column[];
  /** Maximum number of rows. */
  readonly limit?: number;
}

/** One page of the results of a filter. */
export interface ScreenPage<Column extends ScreenColumn> extends Omit<Screened, 'rows' | 'scale'> {
  readonly rows: readonly ScreenedMaterial<Column>[];
  /** Energy scale used for the energies. */
  readonly scale: string;
}

export function materials({ call }: Connection) {
  /** Pages of the results of a filter, at most 1,000 rows each, with total, scale, release and units. */
  function pages<const Column extends ScreenColumn = SearchColumn>(
    filter?: Filter,
    options?: FindOptions<Column>,
  ): AsyncGenerator<ScreenPage<Column>>;
  async function* pages(
    filter: Filter = '',
    { limit, signal, again = true, fields, stableInOxygen, ...asked }: FindOptions<ScreenColumn> = {},
  ): AsyncGenerator {
    const sending = signal ? { signal, again } : { again };
    const columns = {
      ...(fields ? { fields: [...fields] } : {}),
      ...(stableInOxygen ? inOxygen({ stableInOxygen }) : {}),
    };
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (let cursor: string | null = ''; cursor !== null && left > 0; ) {
      const size = Math.min(left, MAX_SCREEN_ROWS);
      const body = { filter, ...asked, ...columns, limit: size, ...(cursor === '' ? {} : { cursor }) };
      const page: Screened = await call(screenMaterials, body, sending);
      const rows = page.rows.map((row) =>
        Object.fromEntries(page.fields.map((name, index) => [name, row[index]])),
      );
      yield { ...page, rows, scale: page.scale.functional };
      left -= rows.length;
      cursor = page.next;
    }
  }

  /** All results of a filter, by column name and in order; pages are requested as needed. */
  async function* find<const Column extends ScreenColumn = SearchColumn>(
    filter?: Filter,
    options?: FindOptions<Column>,
  ): AsyncGenerator<ScreenedMaterial<Column>> {
    for await (const { rows } of pages(filter, options)) yield* rows;
  }

  return {
    pages,
    find,

    /** Number of materials that pass a filter. */
    count: async (filter: Filter = '', sending?: SendOptions): Promise<number> =>
      (await call(screenMaterials, { filter, limit: 0 }, sending)).total,

    /** Materials with exactly these elements (`Ti-O`) or at least these (`Ti-O-*`). */
    byElements: (include: string, sending?: SendOptions) => call(searchByElements, { include }, sending),
    byFormula: (include: string, sending?: SendOptions) => call(searchByFormula, { include }, sending),
    byId: (include: number | string, sending?: SendOptions) => call(searchByStructId, { include }, sending),
    detail: (structId: number | string, sending?: SendOptions): Promise<MaterialDetail> =>
      call(getStructDetail, { struct_id: structId }, sending),

    /** Calculated phonons, one entry per functional. */
    phonons: async (structId: number | string, sending?: SendOptions): Promise<MaterialPhonons['phonons']> =>
      (await call(getPhonons, { struct_id: structId }, sending)).phonons,
    /** Frequencies (THz) and motion of the atoms at a wave vector, in fractions of the reciprocal vectors. */
    phononModes: (
      structId: number | string,
      functional: string,
      q: [number, number, number],
      sending?: SendOptions,
    ): Promise<PhononModes> => call(getPhononModes, { struct_id: structId, functional, q }, sending),
  };
}

/** Files of one material, and of the results of a filter. */
export function files({ file }: Connection) {
  const text = async (path: string, sending?: SendOptions): Promise<string> =>
    (await file(path, sending)).text();
  return {
    /** A cell as CIF; the conventional cell is written with its space group. */
    cif: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.cif?cell=${cell}`, sending),
    poscar: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.poscar?cell=${cell}`, sending),
    xyz: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.xyz?cell=${cell}`, sending),
    /** All results of a filter as one file, streamed. */
    download: (
      filter: Filter,
      format: CallRequest<typeof downloadScreened>['format'],
      { sort, scale, stableInOxygen, ...sending }: ScreenOptions = {},
    ): Promise<Response> => {
      const oxygen = stableInOxygen ? inOxygen({ stableInOxygen }) : {};
      const body = { filter, format, ...oxygen, ...(sort ? { sort } : {}), ...(scale ? { scale } : {}) };
      return file({ call: downloadScreened, body }, sending);
    },
  };
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The whole catalogue, its hulls and its windows as dated files. */
export function dumps({ call, file }: Connection) {
  const list = async (sending?: SendOptions): Promise<readonly PublishedRelease[]> =>
    (await call(listReleases, undefined, sending)).releases;
  return {
    /**
     * The releases kept by the site, newest first; empty until the operator runs `unitcell release publish`.
     */
    list,

    /** The newest release. @throws SiteError when the operator has published none */
    async latest(sending?: SendOptions): Promise<PublishedRelease> {
      const [newest] = await list(sending);
      if (newest) return newest;
      throw new SiteError(
        404,
        'the site has not published a release; its operator does this with `unitcell release publish`',
        { code: 'client.no-release' },
      );
    },

    /** Streams a file of a release. */
    download: ({ address }: ReleaseFile, sending?: SendOptions): Promise<Response> => file(address, sending),

    /** Reads the bytes of a file. @throws SiteError when their SHA-256 is not the published one */
    async read({ address, name, sha256 }: ReleaseFile, sending?: SendOptions): Promise<Uint8Array> {
      const bytes = await (await file(address, sending)).arrayBuffer();
      if (hexOf(await crypto.subtle.digest('SHA-256', bytes)) !== sha256)
        throw new SiteError(200, `${name}: the SHA-256 is not that of the manifest`, {
          code: 'client.checksum',
        });
      return new Uint8Array(bytes);
    },
  };
}
