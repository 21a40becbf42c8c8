/** Where materials on their way in belong: to one that is there, to one before them, or to a new one. */
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
import type { StandardMaterial } from '../standardise.ts';
import { type Assignment, crystalKey, type CrystalWork } from './assign-crystals.ts';

const keyOf = ({ formulaReduced, spaceGroupNumber }: StandardMaterial): string =>
  crystalKey(formulaReduced, spaceGroupNumber);

/** Until the transaction ends, nobody else stores crystals of these keys: what is compared with stays as it is. */
export async function lockCrystals(tx: Db, materials: readonly StandardMaterial[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hash)
    FROM (SELECT DISTINCT hashtextextended(key, 17) AS hash FROM unnest(${materials.map(keyOf)}::text[]) AS key ORDER BY hash) AS keys`.execute(
    tx,
  );
}

async function cellsOf(tx: Db, ids: readonly number[]): Promise<Map<number, CompactCell>> {
  const rows = await tx
    .selectFrom('material_structure')
    .select(['struct_id as id', 'given as cell'])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .execute();
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

/** For each material where it belongs; positions are those of the list. */
export async function placeOf(
  tx: Db,
  fresh: readonly StandardMaterial[],
  work: CrystalWork,
): Promise<Assignment[]> {
  const formulas = [...new Set(fresh.map(({ formulaReduced }) => formulaReduced))];
  const rows = await tx
    .selectFrom('material')
    .select(['struct_id as structId', 'formula_reduced as formulaReduced'])
    .select('space_group_number as spaceGroupNumber')
    .where('formula_reduced', '=', anyOf(formulas, 'text'))
    .execute();
  const groups = new Map<string, { stored: number[]; fresh: number[] }>();
  fresh.forEach((material, position) => {
    const group = groups.get(keyOf(material)) ?? { stored: [], fresh: [] };
    group.fresh.push(position);
    groups.set(keyOf(material), group);
  });
  for (const { structId, formulaReduced, spaceGroupNumber } of rows)
    groups.get(crystalKey(formulaReduced, spaceGroupNumber))?.stored.push(structId);
  const places: Assignment[] = fresh.map(() => null);
  const compared = [...groups.values()].filter((group) => group.stored.length + group.fresh.length > 1);
  if (compared.length === 0) return places;
  const cells = await cellsOf(
    tx,
    compared.flatMap(({ stored }) => stored),
  );
  const assigned = await work.assignCrystals(
    compared.map((group) => ({
      stored: group.stored.flatMap((structId) => {
        const cell = cells.get(structId);
        return cell ? [{ structId, cell }] : [];
      }),
      fresh: group.fresh.map((position) => fresh[position]!.given),
    })),
  );
  compared.forEach((group, index) =>
    group.fresh.forEach((position, at) => {
      const place = assigned[index]?.[at] ?? null;
      places[position] = place && 'fresh' in place ? { fresh: group.fresh[place.fresh]! } : place;
    }),
  );
  return places;
}
