/** Related materials, read in one query. */
import { parseStructId } from '@unitcell/contract/common';
import { WORKING_IONS, type WorkingIon } from '@unitcell/contract/ecwindow';
import {
  FARTHEST_OF_PROTOTYPE,
  FARTHEST_SIMILAR,
  getRelated,
  MOST_RELATED,
  type RelatedMaterials,
} from '@unitcell/contract/matdata';
import { arrangementDistance } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import { type Expression, type InferResult, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { readArrangement } from '../../catalogue/data-migrations/migrate-cells.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { columnsOf, currentStructId, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

/** Largest number of vectors compared per material; each takes half a kilobyte. */
const MAX_COMPARED = 600;

// The requested material with its arrangement, and another material.
const own = columnsOf('material', 'own');
const ownCell = columnsOf('structure_arrangement', 'own');
const other = columnsOf('material', 'other');
const otherCell = columnsOf('structure_arrangement', 'other');

const LANDMARKS = ['to_close', 'to_diamond', 'to_salt'] as const;
/** Lower bound of the distance, computed from the landmarks. */
const LOWER_BOUND = sql<number>`greatest(${sql.join(
  LANDMARKS.map((landmark) => sql`abs(${otherCell(landmark)} - ${ownCell(landmark)})`),
)})`;

const relatedTo = (
  db: Db,
  structId: RawBuilder<number>,
  most: RawBuilder<number>,
  farthest: RawBuilder<number>,
) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('material')
        .leftJoin('structure_arrangement as cell', 'cell.struct_id', 'material.struct_id')
        .select(['material.struct_id', 'functional', 'formula_reduced', 'chemical_system'])
        .select(['cell.prototype', 'cell.vector', ...LANDMARKS])
        .where('material.struct_id', '=', currentStructId(structId))
        .as('own'),
    )
    .select(['own.functional', 'own.prototype'])
    .select(({ selectFrom, ref }) => {
      const hex = (bytes: Expression<Buffer | null>) => sql<string>`encode(${bytes}, 'hex')`;
      /** Materials that meet the condition on `other`, nearest to the hull first, with their total number. */
      const listOf = (condition: RawBuilder<boolean>) =>
        jsonArrayFrom(
          selectFrom('material as other')
            .leftJoin('material_energy as energy', (join) =>
              join
                .onRef('energy.struct_id', '=', 'other.struct_id')
                .onRef('energy.functional', '=', 'own.functional'),
            )
            .select(['other.struct_id', 'other.formula', 'other.space_group'])
            .select(['energy.energy_above_hull as e_above_hull', sql<number>`count(*) OVER ()`.as('total')])
            .whereRef('other.struct_id', '<>', 'own.struct_id')
            .where(condition)
            .orderBy('energy.energy_above_hull', (order) => order.asc().nullsLast())
            .orderBy('other.struct_id')
            .limit(most),
        );
      /** Materials whose arrangement `other` meets the condition, with their vectors. */
      const candidatesOf = (condition: RawBuilder<boolean>) =>
        jsonArrayFrom(
          selectFrom(({ selectFrom: from }) =>
            from('structure_arrangement as other')
              .select(['other.struct_id', 'other.prototype', 'other.vector'])
              .whereRef('other.struct_id', '<>', 'own.struct_id')
              .where(condition)
              .orderBy(LOWER_BOUND)
              .limit(sql.lit(MAX_COMPARED))
              .as('near'),
          )
            .innerJoin('material', 'material.struct_id', 'near.struct_id')
            .leftJoin('material_energy as energy', (join) =>
              join
                .onRef('energy.struct_id', '=', 'near.struct_id')
                .onRef('energy.functional', '=', 'own.functional'),
            )
            .select(['near.struct_id', 'material.formula', 'material.space_group', 'near.prototype'])
            .select((of) => [
              'energy.energy_above_hull as e_above_hull',
              hex(of.ref('near.vector')).as('vector'),
            ]),
        );
      const isKin = sql<boolean>`${otherCell('prototype')} = ${ownCell('prototype')}`;
      const isNear = LANDMARKS.map(
        (landmark) =>
          sql`${otherCell(landmark)} BETWEEN ${ownCell(landmark)} - ${farthest} AND ${ownCell(landmark)} + ${farthest}`,
      );
      const isPolymorph = sql<boolean>`${other('formula_reduced')} = ${own('formula_reduced')}`;
      return [
        sql<string | null>`${hex(ref('own.vector'))}`.as('vector'),
        jsonArrayFrom(
          selectFrom('electrochemical_window as made')
            .select(['made.working_ion', 'made.reduction_onset', 'made.oxidation_onset'])
            .whereRef('made.struct_id', '=', 'own.struct_id')
            .whereRef('made.functional', '=', 'own.functional'),
        ).as('windows'),
        listOf(isPolymorph).as('polymorphs'),
        listOf(sql`${other('chemical_system')} = ${own('chemical_system')} AND NOT ${isPolymorph}`).as(
          'sameSystem',
        ),
        selectFrom('structure_arrangement as other')
          .select(sql<number>`count(*)::int`.as('count'))
          .whereRef('other.struct_id', '<>', 'own.struct_id')
          .where(isKin)
          .$asScalar()
          .$notNull()
          .as('kinCount'),
        /** Materials with the same occupied positions, nearest by landmarks first. */
        candidatesOf(isKin).as('kin'),
        /** Materials with other prototypes that may be similar enough, nearest by landmarks first. */
        candidatesOf(sql`NOT ${isKin} AND ${sql.join(isNear, sql` AND `)}`).as('near'),
      ];
    });

type StoredRelations = InferResult<ReturnType<typeof relatedTo>>[number];
type Candidates = StoredRelations['kin'];

/** Decimals of a stated distance; only two are significant. */
const DIGITS = 3;

type Alike = RelatedMaterials['similar']['rows'][number];

const vectorOf = (text: string): Float32Array => readArrangement(Buffer.from(text, 'hex'));

/** The candidates sorted by distance. */
function byDistance(arrangement: Float32Array, candidates: Candidates): Alike[] {
  return candidates
    .map(({ vector, prototype: _prototype, ...row }) => ({
      ...row,
      distance: Number(arrangementDistance(arrangement, vectorOf(vector)).toFixed(DIGITS)),
    }))
    .toSorted((a, b) => a.distance - b.distance || a.struct_id - b.struct_id);
}

/**
 * Keeps only the material nearest to the hull for each formula and prototype: further entries of one crystal
 * add nothing.
 */
function onePerCrystal(candidates: Candidates): Candidates {
  const best = new Map<string, Candidates[number]>();
  for (const candidate of candidates) {
    const key = `${candidate.formula} ${candidate.prototype}`;
    const known = best.get(key);
    if (!known || (candidate.e_above_hull ?? Infinity) < (known.e_above_hull ?? Infinity))
      best.set(key, candidate);
  }
  return [...best.values()];
}

/** Rows and their total number, which the query repeats in every row. */
const listWithCount = (rows: StoredRelations['polymorphs']) => ({
  count: rows[0]?.total ?? 0,
  rows: rows.map(({ total: _total, ...row }) => row),
});

const orderOf = (ion: string): number => WORKING_IONS.indexOf(ion as WorkingIon);

const find = prepared('material-related', relatedTo);

export function relatedRoutes(app: FastifyInstance, { readDb }: Database): void {
  serveCall(app, getRelated, async ({ body: { struct_id: typed } }) => {
    const structId = parseStructId(typed);
    const [stored] = structId === null ? [] : await find(readDb, structId, MOST_RELATED, FARTHEST_SIMILAR);
    if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    const { vector, kin, kinCount, near, windows, polymorphs, sameSystem, ...rest } = stored;
    const arrangement = vector === null ? new Float32Array() : vectorOf(vector);
    const similar = byDistance(arrangement, onePerCrystal(near))
      .filter(({ distance }) => distance <= FARTHEST_SIMILAR)
      .slice(0, MOST_RELATED);
    const isotypic = byDistance(arrangement, kin).filter(({ distance }) => distance <= FARTHEST_OF_PROTOTYPE);
    return {
      ...rest,
      polymorphs: listWithCount(polymorphs),
      same_system: listWithCount(sameSystem),
      windows: windows.toSorted((a, b) => orderOf(a.working_ion) - orderOf(b.working_ion)),
      same_prototype: {
        // If there are many candidates, only the nearest are compared. If all compared candidates are close
        // enough, the rest count as close too.
        count: isotypic.length === kin.length ? kinCount : isotypic.length,
        rows: isotypic.slice(0, MOST_RELATED),
      },
      similar: { count: similar.length, rows: similar },
    };
  });
}
