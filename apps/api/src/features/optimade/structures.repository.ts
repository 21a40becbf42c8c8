/** Materials as OPTIMADE lists them: only SQL. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import type { ListQuery, SortField } from './read-query.ts';
import { sqlOf, STRUCTURE_QUERY } from './structure-filter.ts';
import { STRUCTURE_FIELDS, type StructureRow } from './structure-fields.ts';

const FROM = sql.raw('FROM material JOIN material_structure USING (struct_id)');
/** Nothing of the other table decides which materials match, but for the sites that are shared. */
const FROM_MATERIAL = sql.raw('FROM material');

const column = (name: string): RawBuilder<unknown> => sql.raw(`(${sqlOf(name)})`);

/** Entries behind `after` in the order of `sort`, what is unknown last, then by number. */
function behind(sort: readonly SortField[], after: NonNullable<ListQuery['after']>): RawBuilder<boolean> {
  const [first, ...rest] = sort;
  const [value = null, ...values] = after;
  if (!first) return sql<boolean>`material.struct_id > ${value}::int`;
  const at = column(first.name);
  const type = sql.raw(
    { number: 'float8', text: 'text', flag: 'boolean', unknown: 'text' }[
      STRUCTURE_QUERY.get(first.name)?.filter?.type ?? 'unknown'
    ],
  );
  const equal = sql`${at} IS NOT DISTINCT FROM ${value}::${type} AND ${behind(rest, values)}`;
  if (value === null) return sql<boolean>`(${equal})`;
  const beyond = sql.raw(first.isDescending ? '<' : '>');
  return sql<boolean>`(${at} ${beyond} ${value}::${type} OR ${at} IS NULL OR ${equal})`;
}

const orderOf = (sort: readonly SortField[]): RawBuilder<unknown> =>
  sql.join([
    ...sort.map(
      ({ name, isDescending }) => sql`${column(name)} ${sql.raw(isDescending ? 'DESC' : 'ASC')} NULLS LAST`,
    ),
    sql`material.struct_id`,
  ]);

export type StructuresRepository = ReturnType<typeof structuresRepository>;

export function structuresRepository({ readDb }: Pick<Database, 'readDb'>) {
  /** The number, what is asked for, the source and the cell. */
  const list = (names: readonly string[]): RawBuilder<unknown> =>
    sql.join([
      sql`material.struct_id AS struct_id, material.source_name AS source_name, material.source_licence AS source_licence, material_structure.primitive AS primitive`,
      ...names.flatMap((name) =>
        STRUCTURE_FIELDS.get(name)?.sql === undefined ? [] : [sql`${column(name)} AS ${sql.ref(name)}`],
      ),
    ]);
  return {
    /** One more than asked for, when there is one. */
    async page(
      condition: RawBuilder<boolean>,
      { sort, after, limit }: Pick<ListQuery, 'sort' | 'after' | 'limit'>,
      names: readonly string[],
    ): Promise<StructureRow[]> {
      const { rows } = await sql<StructureRow>`SELECT ${list(names)} ${FROM}
        WHERE ${condition} AND ${after === null ? sql`TRUE` : behind(sort, after)}
        ORDER BY ${orderOf(sort)} LIMIT ${limit + 1}`.execute(readDb);
      return rows;
    },

    /** Those of them that are still there, in their order. */
    async ofIds(ids: readonly number[], names: readonly string[]): Promise<StructureRow[]> {
      const { rows } = await sql<StructureRow>`SELECT ${list(names)} ${FROM}
        JOIN unnest(${ids}::int[]) WITH ORDINALITY AS page (id, place) ON material.struct_id = page.id ORDER BY page.place`.execute(
        readDb,
      );
      return rows;
    },

    async byId(structId: number, names: readonly string[]): Promise<StructureRow | null> {
      const { rows } =
        await sql<StructureRow>`SELECT ${list(names)} ${FROM} WHERE material.struct_id = current_struct_id(${structId})`.execute(
          readDb,
        );
      return rows[0] ?? null;
    },

    async count(condition: RawBuilder<boolean>, needsCell: boolean): Promise<number> {
      const { rows } = await sql<{
        count: number;
      }>`SELECT count(*)::int AS count ${needsCell ? FROM : FROM_MATERIAL}
        WHERE ${condition}`.execute(readDb);
      return rows[0]?.count ?? 0;
    },

    /** The sources of the catalogue, each once. */
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
