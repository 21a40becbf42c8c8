/** Materials as OPTIMADE entries. */
import { createHash } from 'node:crypto';
import { parseStructId } from '@unitcell/contract/common';
import { printFilter } from '@unitcell/filter';
import { type RawBuilder, sql } from 'kysely';
import type { FoundMaterials, MaterialFinder } from '../../domain/services.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { columnsOf, currentStructId } from '../../infra/sql.ts';
import type { Caller, TaskAdmission } from '../../infra/thread-pool.ts';
import { OptimadeError } from './envelope.ts';
import { columnOf, conditionOf, inMemory, sqlOf, STRUCTURE_QUERY } from './structure-filter.ts';
import { type ListQuery, type SortField, writeCursor } from './read-query.ts';
import type { SmallEntry } from './info.ts';
import { cellOf, STRUCTURE_FIELDS, type StructureRow, USUAL_FIELDS } from './structure-fields.ts';

const material = columnsOf('material');

const typeOf = (name: string) => STRUCTURE_QUERY.get(name)?.filter?.type ?? 'unknown';

/** Texts are sorted by character code, as in memory, whatever the collation of the database. */
const column = (name: string): RawBuilder<unknown> =>
  typeOf(name) === 'text' ? sql`((${sqlOf(name)}) COLLATE "C")` : sql`(${sqlOf(name)})`;

/**
 * Columns in memory are sorted ascending and read backwards for descending order. Entries with equal values
 * then come in descending order of their numbers. SQL does the same, because the pages of one list may come
 * from both.
 */
const isReadBackwards = (sort: readonly SortField[]): boolean => sort.length === 1 && sort[0]!.isDescending;

/** Condition for entries after `after` in the order of `sort`: nulls last, then by number. */
function behind(
  sort: readonly SortField[],
  after: NonNullable<ListQuery['after']>,
  isBackwards = isReadBackwards(sort) && after[0] !== null,
): RawBuilder<boolean> {
  const [first, ...rest] = sort;
  const [value = null, ...values] = after;
  if (!first) return sql<boolean>`${material('struct_id')} ${sql.raw(isBackwards ? '<' : '>')} ${value}::int`;
  const at = column(first.name);
  const type = sql.raw(
    { number: 'float8', text: 'text', flag: 'boolean', unknown: 'text' }[typeOf(first.name)],
  );
  const next = behind(rest, values, isBackwards);
  const equal = sql`${at} IS NOT DISTINCT FROM ${value}::${type} AND ${next}`;
  if (value === null) return sql<boolean>`(${equal})`;
  const beyond = sql.raw(first.isDescending ? '<' : '>');
  return sql<boolean>`(${at} ${beyond} ${value}::${type} OR ${at} IS NULL OR ${equal})`;
}

/** The order of entries with equal values. */
function byNumber(sort: readonly SortField[]): RawBuilder<number> {
  const number = material('struct_id');
  return isReadBackwards(sort)
    ? sql<number>`CASE WHEN ${column(sort[0]!.name)} IS NULL THEN ${number} ELSE -${number} END`
    : sql<number>`${number}`;
}

type StructuresRepository = ReturnType<typeof structuresRepository>;

/** @param questionMs time limit of a filter query, ms; dumps omit it and have no limit */
export function structuresRepository({ readDb }: Pick<Database, 'readDb'>, questionMs?: number) {
  /** The number, the requested properties, the source and the cell. */
  const selected = (names: readonly string[]) =>
    readDb
      .selectFrom('material')
      .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
      .select([
        'material.struct_id',
        'material.source_name',
        'material.source_licence',
        'material_structure.primitive',
      ])
      .select(
        names.flatMap((name) =>
          STRUCTURE_FIELDS.get(name)?.sql === undefined ? [] : [column(name).as(name)],
        ),
      );
  const limited = <T>(ask: (on: Db) => Promise<T>): Promise<T> =>
    questionMs === undefined
      ? ask(readDb)
      : readDb.transaction().execute(async (on) => {
          await sql`SELECT set_config('statement_timeout', ${String(questionMs)}, true)`.execute(on);
          return ask(on);
        });
  return {
    /** The entries of a page and one more, if it exists. */
    async page(
      condition: RawBuilder<boolean>,
      { sort, after, limit }: Pick<ListQuery, 'sort' | 'after' | 'limit'>,
      names: readonly string[],
    ): Promise<StructureRow[]> {
      let query = selected(names)
        .where(condition)
        .limit(limit + 1);
      if (after !== null) query = query.where(behind(sort, after));
      for (const { name, isDescending } of sort)
        query = query.orderBy(column(name), (order) =>
          (isDescending ? order.desc() : order.asc()).nullsLast(),
        );
      return limited((on) => on.executeQuery(query.orderBy(byNumber(sort)))).then(({ rows }) => rows);
    },

    /** Entries with these ids that still exist, in this order. */
    async ofIds(ids: readonly number[], names: readonly string[]): Promise<StructureRow[]> {
      const page = sql<{ id: number; place: number }>`unnest(${[...ids]}::int[]) WITH ORDINALITY`;
      return selected(names)
        .innerJoin(page.as<'page'>(sql`page (id, place)`), 'page.id', 'material.struct_id')
        .orderBy('page.place')
        .execute();
    },

    async byId(structId: number, names: readonly string[]): Promise<StructureRow | null> {
      const found = await selected(names)
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },

    /** @param needsCell whether the filter uses the table of cells, which must then be joined */
    async count(condition: RawBuilder<boolean>, needsCell: boolean): Promise<number> {
      const query = readDb
        .selectFrom('material')
        .$if(needsCell, (some) =>
          some.innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id'),
        )
        .select(sql<number>`count(*)::int`.as('count'))
        .where(condition);
      const { rows } = await limited((on) => on.executeQuery(query));
      return rows[0]!.count;
    },

    /** The distinct sources of the catalogue. */
    async references(): Promise<{ name: string; licence: string; lastModified: Date }[]> {
      return readDb
        .selectFrom('material')
        .select(['source_name as name', 'source_licence as licence'])
        .select((at) => at.fn.max('updated_at').as('lastModified'))
        .groupBy(['source_name', 'source_licence'])
        .orderBy('source_name')
        .execute();
    },
  };
}

// ── The rules ──

/** Number of filters whose match counts are cached. */
const REMEMBERED_COUNTS = 1000;

const referenceId = (name: string, licence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, licence]))
    .digest('hex')
    .slice(0, 16);

interface StructurePage {
  readonly data: readonly unknown[];
  readonly rows: readonly StructureRow[];
  readonly cursor: string | null;
  readonly count: number;
  readonly available: number;
}

export type Structures = ReturnType<typeof structures>;

/** Finds and counts in memory where possible (docs/contributing/adr/0016), otherwise in PostgreSQL. */
export function structures(
  repository: StructuresRepository,
  caches: CatalogueCaches,
  { finder, questions }: { finder?: Pick<MaterialFinder, 'find'>; questions?: TaskAdmission } = {},
) {
  const counts = caches.create<number>(REMEMBERED_COUNTS);
  const sources = caches.create<SmallEntry[]>(1);

  function entryOf(row: StructureRow, names: readonly string[]) {
    const cell = cellOf(row);
    const attributes = Object.fromEntries(
      names.map((name) => [name, STRUCTURE_FIELDS.get(name)?.of?.(row, cell) ?? row[name] ?? null]),
    );
    const id = referenceId(String(row.source_name), String(row.source_licence));
    return {
      id: String(row.struct_id),
      type: 'structures',
      attributes,
      relationships: { references: { data: [{ type: 'references', id }] } },
    };
  }

  const namesOf = (fields: readonly string[] | null): readonly string[] => fields ?? USUAL_FIELDS;

  const countOf = (filter: ListQuery['filter']): Promise<number> => {
    const text = filter === null ? '' : printFilter(filter);
    return counts.remember(text, () =>
      repository.count(conditionOf(filter), text.includes('structure_features')),
    );
  };

  /** If columns do not support the sort order, matches are only counted. */
  async function foundInMemory(query: ListQuery, caller?: Caller): Promise<FoundMaterials | null> {
    const { filter, after, limit } = query;
    const tree = filter && inMemory(filter);
    if (!finder || !caller || (filter !== null && tree === null)) return null;
    const [{ name, isDescending: desc } = { name: null, isDescending: false }, second] = query.sort;
    const field = name === null ? null : columnOf(name);
    if (second || (name !== null && field === null)) {
      const found = await finder.find({ filter: tree, sort: null, limit: 0, after: null }, caller);
      return found && { ...found, ids: null };
    }
    const sort = field === null ? null : { field, desc };
    return finder.find(
      { filter: tree, sort, limit, after: (after?.at(-1) ?? null) as number | null },
      caller,
    );
  }

  const references = (): Promise<SmallEntry[]> =>
    sources.remember('', async () =>
      (await repository.references()).map(({ name, licence, lastModified }) => ({
        id: referenceId(name, licence),
        type: 'references',
        attributes: {
          // Some clients, such as the official validator, put these texts into URLs unescaped.
          title: name.replaceAll('&', 'and'),
          note: licence === '' ? 'The licence was not stated' : `Licence: ${licence}`,
          last_modified: `${lastModified.toISOString().slice(0, 19)}Z`,
          immutable_id: null,
        },
      })),
    );

  return {
    /** @param caller owner of the used thread time; without a caller PostgreSQL answers everything */
    async page(query: ListQuery, caller?: Caller): Promise<StructurePage> {
      const names = namesOf(query.fields);
      const sorted = query.sort.map(({ name }) => name).filter((name) => STRUCTURE_FIELDS.has(name));
      const asked = [...new Set([...names, ...sorted])];
      const memory = await foundInMemory(query, caller);
      const ids = memory?.ids ?? null;
      const ask = <T>(work: () => Promise<T>): Promise<T> => questions?.run(work, caller) ?? work();
      const available = await countOf(null);
      const found =
        ids === null
          ? await ask(() => repository.page(conditionOf(query.filter), query, asked))
          : await repository.ofIds(ids, asked);
      const count = memory?.total ?? (await ask(() => countOf(query.filter)));
      const rows = found.slice(0, query.limit);
      const isMore = ids === null ? found.length > query.limit : memory?.isLast === false;
      const last = rows.at(-1);
      const sortValue = (row: StructureRow, name: string) =>
        (name === 'id'
          ? String(row.struct_id)
          : name === 'type'
            ? 'structures'
            : (row[name] ?? null)) as string;
      return {
        rows,
        data: rows.map((row) => entryOf(row, names)),
        cursor:
          isMore && last
            ? writeCursor([...query.sort.map(({ name }) => sortValue(last, name)), Number(last.struct_id)])
            : null,
        count,
        available,
      };
    },

    /** @throws OptimadeError 404 */
    async byId(id: string, fields: readonly string[] | null) {
      const structId = parseStructId(id);
      const names = namesOf(fields);
      const row = structId === null ? null : await repository.byId(structId, names);
      if (!row) throw new OptimadeError(404, `there is no structure ${id.slice(0, 40)}`);
      return { entry: entryOf(row, names), row };
    },

    references,

    /** References of some rows, for `include=references`. */
    async referencesOf(rows: readonly StructureRow[]): Promise<SmallEntry[]> {
      const ids = new Set(
        rows.map((row) => referenceId(String(row.source_name), String(row.source_licence))),
      );
      return (await references()).filter(({ id }) => ids.has(id));
    },
  };
}
