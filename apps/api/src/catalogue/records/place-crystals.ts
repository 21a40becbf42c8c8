/** Where materials on their way in belong: to one that is there, to one before them, or to a new one. */
import type { CompactCell } from '@unitcell/crystal';
import type pg from 'pg';
import type { CrystalWork } from '../materials.repository.ts';
import type { StandardMaterial } from '../standardise.ts';
import type { Assignment } from './assign-crystals.ts';
import { crystalKey } from './crystal-key.ts';

const keyOf = ({ formulaReduced, spaceGroupNumber }: StandardMaterial): string =>
  crystalKey(formulaReduced, spaceGroupNumber);

/** Until the transaction ends, nobody else stores crystals of these keys: what is compared with stays as it is. */
export async function lockCrystals(
  client: pg.PoolClient,
  materials: readonly StandardMaterial[],
): Promise<void> {
  await client.query(
    `SELECT pg_advisory_xact_lock(hash)
     FROM (SELECT DISTINCT hashtextextended(key, 17) AS hash FROM unnest($1::text[]) AS key ORDER BY hash) AS keys`,
    [materials.map(keyOf)],
  );
}

interface StoredCrystal {
  readonly structId: number;
  readonly formulaReduced: string;
  readonly spaceGroupNumber: number;
}

async function cellsOf(client: pg.PoolClient, ids: readonly number[]): Promise<Map<number, CompactCell>> {
  const { rows } = await client.query<{ id: number; cell: CompactCell }>(
    'SELECT struct_id AS id, given AS cell FROM material_structure WHERE struct_id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

/** For each material where it belongs; positions are those of the list. */
export async function placeOf(
  client: pg.PoolClient,
  fresh: readonly StandardMaterial[],
  work: CrystalWork,
): Promise<Assignment[]> {
  const { rows } = await client.query<StoredCrystal>(
    `SELECT struct_id AS "structId", formula_reduced AS "formulaReduced", space_group_number AS "spaceGroupNumber"
     FROM material WHERE formula_reduced = ANY($1::text[])`,
    [[...new Set(fresh.map(({ formulaReduced }) => formulaReduced))]],
  );
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
    client,
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
