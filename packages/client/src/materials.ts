/** The catalogue: searching, screening and opening materials, their files, and the dumps. */
import {
  type CallAnswer,
  type CallRequest,
  downloadScreened,
  getStructDetail,
  listReleases,
  screenMaterials,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract/calls';
import type {
  MaterialDetail,
  ScreenColumn,
  ScreenedMaterial,
  SearchColumn,
} from '@unitcell/contract/matdata';
import { MAX_SCREEN_ROWS } from '@unitcell/contract/matdata/rules';
import type { PublishedRelease, ReleaseFile } from '@unitcell/contract/releases';
import { type Connection, type SendOptions, SiteError } from './connection.ts';

type Cell = keyof MaterialDetail['structures'];
type Filter = NonNullable<CallRequest<typeof screenMaterials>['filter']>;
type Screened = CallAnswer<typeof screenMaterials>;

export interface ScreenOptions extends SendOptions {
  /** A column, with a hyphen in front for the falling order. */
  readonly sort?: string;
  /** Energy scale; the site's own when absent. */
  readonly scale?: string;
}

export interface FindOptions<Column extends ScreenColumn> extends ScreenOptions {
  /** Columns: whatever can stand in a filter, and expressions in square brackets; those of the searches when absent. */
  readonly fields?: readonly Column[];
  /** No more rows than these. */
  readonly limit?: number;
}

/** A page of what a filter finds. */
export interface ScreenPage<Column extends ScreenColumn> extends Omit<Screened, 'rows' | 'scale'> {
  readonly rows: readonly ScreenedMaterial<Column>[];
  /** Energy scale of the energies. */
  readonly scale: string;
}

export function materials({ call }: Connection) {
  /** What a filter finds, a page of at most 1,000 rows at a time, with total, scale, release and units. */
  function pages<const Column extends ScreenColumn = SearchColumn>(
    filter?: Filter,
    options?: FindOptions<Column>,
  ): AsyncGenerator<ScreenPage<Column>>;
  async function* pages(
    filter: Filter = '',
    { limit, signal, again = true, fields, ...asked }: FindOptions<ScreenColumn> = {},
  ): AsyncGenerator {
    const sending = signal ? { signal, again } : { again };
    const columns = fields ? { fields: [...fields] } : {};
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

  /** Every row a filter finds, by name, in order; pages are asked for while it goes on. */
  async function* find<const Column extends ScreenColumn = SearchColumn>(
    filter?: Filter,
    options?: FindOptions<Column>,
  ): AsyncGenerator<ScreenedMaterial<Column>> {
    for await (const { rows } of pages(filter, options)) yield* rows;
  }

  return {
    pages,
    find,

    /** How many materials a filter finds. */
    count: async (filter: Filter = '', sending?: SendOptions): Promise<number> =>
      (await call(screenMaterials, { filter, limit: 0 }, sending)).total,

    /** Exactly these elements (`Ti-O`) or at least these (`Ti-O-*`). */
    byElements: (include: string, sending?: SendOptions) => call(searchByElements, { include }, sending),
    byFormula: (include: string, sending?: SendOptions) => call(searchByFormula, { include }, sending),
    byId: (include: number | string, sending?: SendOptions) => call(searchByStructId, { include }, sending),
    detail: (structId: number | string, sending?: SendOptions): Promise<MaterialDetail> =>
      call(getStructDetail, { struct_id: structId }, sending),
  };
}

/** Files of one material, and of what a filter finds. */
export function files({ file }: Connection) {
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
    download: (
      filter: Filter,
      format: CallRequest<typeof downloadScreened>['format'],
      { sort, scale, ...sending }: ScreenOptions = {},
    ): Promise<Response> => {
      const body = { filter, format, ...(sort ? { sort } : {}), ...(scale ? { scale } : {}) };
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
    /** Those the site keeps, newest first; empty until the operator runs `unitcell release publish`. */
    list,

    /** The newest. @throws SiteError where the operator has published none */
    async latest(sending?: SendOptions): Promise<PublishedRelease> {
      const [newest] = await list(sending);
      if (newest) return newest;
      throw new SiteError(
        404,
        'the site has published no release: its operator does so by `unitcell release publish`',
        { code: 'client.no-release' },
      );
    },

    /** A file as it comes. */
    download: ({ address }: ReleaseFile, sending?: SendOptions): Promise<Response> => file(address, sending),

    /** The bytes of a file. @throws SiteError when they are not those the site promised (SHA-256) */
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
