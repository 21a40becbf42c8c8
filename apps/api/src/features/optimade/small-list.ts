/** Lists of a few entries that are kept in memory: references and links. Filters are asked of each. */
import { evaluateFilter } from '@unitcell/filter';
import { sql } from 'kysely';
import { type Asked, type AskedFields, type ListQuery, writeCursor } from './read-query.ts';

type SmallValue = string | null;

export interface SmallEntry {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, SmallValue>>;
}

const TEXT: Asked = { sql: sql`''`, filter: { type: 'text' } };

/** Texts only, with `id` and `type`. */
export const textFields = (names: readonly string[]): AskedFields =>
  new Map<string, Asked>([...names, 'id', 'type'].map((name) => [name, TEXT]));

const valueOf = ({ id, type, attributes }: SmallEntry, name: string) =>
  name === 'id' ? id : name === 'type' ? type : (attributes[name] ?? null);

const compare = (a: SmallValue, b: SmallValue): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
};

export interface SmallPage {
  readonly entries: readonly SmallEntry[];
  readonly count: number;
  readonly cursor: string | null;
}

/** Cursors hold the place in the list; the order of the entries is that of their ids. */
export function pageOf(
  all: readonly SmallEntry[],
  { filter, sort, limit, after, fields }: ListQuery,
): SmallPage {
  const found =
    filter === null
      ? [...all]
      : all.filter((entry) => evaluateFilter(filter, (name) => valueOf(entry, name)));
  for (const { name, isDescending } of [...sort].reverse())
    found.sort((a, b) => (isDescending ? -1 : 1) * compare(valueOf(a, name), valueOf(b, name)));
  const start = after === null ? 0 : Number(after.at(-1));
  const entries = found.slice(start, start + limit).map((entry) => ({
    ...entry,
    attributes: Object.fromEntries(
      Object.entries(entry.attributes).filter(([name]) => fields === null || fields.includes(name)),
    ),
  }));
  const isMore = start + limit < found.length;
  return {
    entries,
    count: found.length,
    cursor: isMore ? writeCursor([...sort.map(() => null), start + limit]) : null,
  };
}
