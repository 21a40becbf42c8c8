/** Rows of the listed materials: stored fields and calculated expressions, and the data for their files. */
import type { CompactCell } from '@unitcell/crystal';
import { isExpression } from '@unitcell/filter';
import type { Scalars } from '@unitcell/material';
import { sql } from 'kysely';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { Database } from '../../infra/database.ts';
import { arrays, lastRelease } from '../../infra/sql.ts';
import { type Expression, runExpression } from './expression.ts';
import { sqlOf } from './screen-fields.ts';
import { expressionsOf } from './screen-request.ts';

/** The data for a CIF of a material. */
export interface StoredCrystal
  extends Pick<
    Scalars,
    'structId' | 'formulaReduced' | 'hall' | 'sourceName' | 'sourceId' | 'sourceLicence'
  > {
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly isGivenKept: boolean;
  readonly release: number;
}

/** Read in the same statement as the data, because the catalogue may change between two statements. */
const release = sql<number>`coalesce(${lastRelease}, 0)`;

export type ScreenRows = ReturnType<typeof screenRows>;

export function screenRows({ readDb, readPool }: Pick<Database, 'readDb' | 'readPool'>) {
  const page = (ids: readonly number[]) =>
    readDb
      .selectFrom(
        sql<{ id: number; place: number }>`unnest(${[...ids]}::int[]) WITH ORDINALITY`.as<'page'>(
          sql`page (id, place)`,
        ),
      )
      .innerJoin('material', 'material.struct_id', 'page.id')
      .orderBy('page.place');
  return {
    /**
     * The requested fields of the materials or `release`, in the order of the ids, with energies on the scale. Deleted
     * materials are left out.
     */
    async rows(
      ids: readonly number[],
      fields: readonly string[],
      scale: string,
    ): Promise<readonly (readonly unknown[])[]> {
      if (ids.length === 0) return [];
      return arrays(
        readPool,
        page(ids)
          .leftJoin('material_energy as energies', (join) =>
            join.onRef('energies.struct_id', '=', 'page.id').on('energies.functional', '=', scale),
          )
          .select(
            fields.map((name, place) =>
              sql`${name === 'release' ? release : sqlOf(name, scale)}`.as(String(place)),
            ),
          ),
      );
    },

    /** Conventional cells in the order of the ids. */
    async crystals(ids: readonly number[]): Promise<readonly StoredCrystal[]> {
      return page(ids)
        .innerJoin('material_structure', 'material_structure.struct_id', 'page.id')
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced', 'hall'])
        .select(['source_name as sourceName', 'source_id as sourceId', 'source_licence as sourceLicence'])
        .select(['conventional', 'wyckoffs', 'is_given_kept as isGivenKept'])
        .select(release.as('release'))
        .execute();
    },
  };
}

/** The units of expressions, for answers with expressions. */
const unitsOf = (expressions: Readonly<Record<string, Expression>>) => {
  const units = Object.entries(expressions).map(([name, { unit }]) => [name, unit] as const);
  return units.length === 0 ? {} : { units: Object.fromEntries(units) };
};

/** The chemical system of a row, from its last column, the formula. */
const systemOf = (row: readonly unknown[]): readonly string[] => elementsOfFormula(String(row.at(-1)));

/**
 * The requested columns of the materials, calculated expressions included, and the chemical system of each material.
 */
export async function rowsOf(
  { rows: read }: Pick<ScreenRows, 'rows'>,
  ids: readonly number[],
  fields: readonly string[],
  scale: string,
) {
  const expressions = expressionsOf(fields);
  const needed = Object.values(expressions).flatMap(({ columns }) => columns);
  const stored = [...new Set([...fields.filter((name) => !isExpression(name)), ...needed])];
  const rows = await read(ids, [...stored, 'formula'], scale);
  const column = (name: string): readonly unknown[] => rows.map((row) => row[stored.indexOf(name)]);
  const numbers = (name: string): readonly number[] =>
    column(name).map((value) => (value === null ? Number.NaN : Number(value)));
  const columns = fields.map((name): readonly unknown[] => {
    const expression = expressions[name];
    if (!expression) return column(name);
    return [...runExpression(expression, rows.length, numbers)].map((value) =>
      Number.isNaN(value) ? null : value,
    );
  });
  return {
    rows: rows.map((_, place) => columns.map((values) => values[place])),
    systems: rows.map(systemOf),
    ...unitsOf(expressions),
  };
}
