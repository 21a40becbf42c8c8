/** Searching, screening and opening materials. */
import {
  type CallAnswer,
  type CallRequest,
  getStructDetail,
  type MaterialDetail,
  MAX_SCREEN_ROWS,
  screenMaterials,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract';
import type { Connection, SendOptions } from './connection.ts';

export type Screened = CallAnswer<typeof screenMaterials>;
export interface FindOptions extends SendOptions {
  /** A column, with a hyphen in front for the falling order. */
  readonly sort?: string;
  /** Energy scale; the site's own when absent. */
  readonly scale?: string;
  /** Columns; those of the searches when absent. */
  readonly fields?: string[];
  /** No more rows than these. */
  readonly limit?: number;
}
/** A row by the names of its columns, in their units. */
export type NamedRow = Readonly<Record<string, unknown>>;

export function materials({ call }: Connection) {
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
    ): AsyncGenerator<NamedRow> {
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
