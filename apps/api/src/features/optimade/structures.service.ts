/** Materials as OPTIMADE structures, and the sources they come from as references. */
import { createHash } from 'node:crypto';
import { parseStructId } from '@unitcell/contract';
import { printFilter } from '@unitcell/filter';
import type { FoundMaterials, MaterialFinder } from '../../domain/material-finder.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Asker } from '../../infra/task-admission.ts';
import { columnOf, inMemory } from './memory-filter.ts';
import { OptimadeError } from './optimade-error.ts';
import { type ListQuery, writeCursor } from './read-query.ts';
import { conditionOf } from './structure-filter.ts';
import type { SmallEntry } from './small-list.ts';
import { cellOf, STRUCTURE_FIELDS, type StructureRow, USUAL_FIELDS } from './structure-fields.ts';
import type { StructuresRepository } from './structures.repository.ts';

/** Filters whose number of matches is remembered. */
const REMEMBERED_COUNTS = 1000;

const referenceId = (name: string, licence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, licence]))
    .digest('hex')
    .slice(0, 16);

export interface StructurePage {
  readonly data: readonly unknown[];
  readonly rows: readonly StructureRow[];
  readonly cursor: string | null;
  readonly count: number;
  readonly available: number;
}

export type Structures = ReturnType<typeof structures>;

/** Where columns in memory can answer (docs/adr/0016) they find and count; PostgreSQL gives the rows, and answers the rest. */
export function structures(
  repository: StructuresRepository,
  caches: CatalogueCaches,
  finder?: Pick<MaterialFinder, 'find'>,
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

  /** Where the page cannot be found as well it is only counted. */
  async function foundInMemory(query: ListQuery, asker?: Asker): Promise<FoundMaterials | null> {
    const { filter, after, limit } = query;
    const tree = filter && inMemory(filter);
    if (!finder || !asker || (filter !== null && tree === null)) return null;
    const [{ name, isDescending: desc } = { name: null, isDescending: false }, second] = query.sort;
    const field = name === null ? null : columnOf(name);
    if (second || (name !== null && field === null)) {
      const found = await finder.find({ filter: tree, sort: null, limit: 0, after: null }, asker);
      return found && { ...found, ids: null };
    }
    const sort = field === null ? null : { field, desc };
    return finder.find({ filter: tree, sort, limit, after: (after?.at(-1) ?? null) as number | null }, asker);
  }

  const references = (): Promise<SmallEntry[]> =>
    sources.remember('', async () =>
      (await repository.references()).map(({ name, licence, lastModified }) => ({
        id: referenceId(name, licence),
        type: 'references',
        attributes: {
          // Clients of the field, the official validator among them, put texts into addresses as they are.
          title: name.replaceAll('&', 'and'),
          note: licence === '' ? 'The licence was not stated' : `Licence: ${licence}`,
          last_modified: `${lastModified.toISOString().slice(0, 19)}Z`,
          immutable_id: null,
        },
      })),
    );

  return {
    /** @param asker whose threads' time it is; without one PostgreSQL answers all */
    async page(query: ListQuery, asker?: Asker): Promise<StructurePage> {
      const names = namesOf(query.fields);
      const sorted = query.sort.map(({ name }) => name).filter((name) => STRUCTURE_FIELDS.has(name));
      const asked = [...new Set([...names, ...sorted])];
      const memory = await foundInMemory(query, asker);
      const ids = memory?.ids ?? null;
      const [found, count, available] = await Promise.all([
        ids === null
          ? repository.page(conditionOf(query.filter), query, asked)
          : repository.ofIds(ids, asked),
        memory?.total ?? countOf(query.filter),
        countOf(null),
      ]);
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

    /** Those of some rows, for `include=references`. */
    async referencesOf(rows: readonly StructureRow[]): Promise<SmallEntry[]> {
      const ids = new Set(
        rows.map((row) => referenceId(String(row.source_name), String(row.source_licence))),
      );
      return (await references()).filter(({ id }) => ids.has(id));
    },
  };
}
