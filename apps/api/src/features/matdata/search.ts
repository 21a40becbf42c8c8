/**
 * The three searches: routes, rules and SQL. The database returns rows as arrays in the order of the
 * contract, ready to be sent.
 */
import { parseStructId } from '@unitcell/contract/common';
import {
  MAX_SEARCH_ROWS,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract/matdata';
import { fields, SEARCH_ROW, type SearchResult, type SearchRow } from '@unitcell/material';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AliasedExpression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import {
  boundedText,
  canonicalFormula,
  DEFAULT_FORMULA,
  parseElementQuery,
} from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { DB } from '../../generated/tables/tables.ts';
import { keptAnswers, serveCall } from '../../http/serve-call.ts';
import type { Db } from '../../infra/database.ts';
import { preparedArrays } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { preferredLanguage, type Translate } from '../../messages/messages.ts';

type Selection = {
  [Name in keyof SearchResult]: AliasedExpression<SearchResult[Name], Name>;
}[keyof SearchResult];

const { ref } = expressionBuilder<DB & { scale: DB['material_energy'] }, 'material' | 'scale'>();
/**
 * @param energies the table of formation energies and energies above hull: `material` for the listed scale,
 * `scale` for another
 */
const columns = (energies: 'material' | 'scale') =>
  SEARCH_ROW.map((name) => {
    const { column } = fields[name];
    const isOfScale = column === 'formation_energy_per_atom' || column === 'energy_above_hull';
    return (isOfScale ? ref(`${energies}.${column}`) : ref(`material.${column}`)).as(name) as Selection;
  });

/** The condition of each kind of search, by the name of its statement. */
const CONDITIONS = {
  'search-at-least': (elements) => sql`${ref('material.elements')} @> ${elements}::text[]`,
  'search-exactly': (system) => sql`${ref('material.chemical_system')} = ${system}`,
  'search-formula': (formula) => sql`${ref('material.formula_reduced')} = ${formula}`,
  'search-id': (structId) => sql`${ref('material.struct_id')} = current_struct_id(${structId})`,
} as const satisfies Readonly<Record<string, (value: unknown) => RawBuilder<boolean>>>;
type Question = keyof typeof CONDITIONS;

/** One row more than the limit shows whether the matches must be counted. */
const LIMIT = sql.lit(MAX_SEARCH_ROWS + 1);

/** The statements of a search: one for the scale on which all materials are listed, one for any other scale. */
function statementsOf(db: Db, question: Question) {
  const condition = CONDITIONS[question];
  const listed = db.selectFrom('material').select(columns('material')).orderBy('material.energy_above_hull');
  const onScale = (functional: RawBuilder<string>) =>
    db
      .selectFrom('material')
      .leftJoin('material_energy as scale', (join) =>
        join.onRef('scale.struct_id', '=', 'material.struct_id').on('scale.functional', '=', functional),
      )
      .select(columns('scale'))
      .orderBy('scale.energy_above_hull');
  return {
    listed: preparedArrays<[value: unknown], SearchRow>(question, (value) =>
      listed.orderBy('material.struct_id').where(condition(value)).limit(LIMIT),
    ),
    onScale: preparedArrays<[value: unknown, functional: string], SearchRow>(
      `${question}-on-scale`,
      (value, functional) =>
        onScale(functional).orderBy('material.struct_id').where(condition(value)).limit(LIMIT),
    ),
  };
}

/** Cached total numbers of searches with more matches than are sent. */
const REMEMBERED_COUNTS = 1000;
/** Size of cached search answers; a system of a hundred materials takes about 20 kB. */
const KEPT_BYTES = 32 * 2 ** 20;

/** The query of a search: a statement with its value; null if nothing can match. */
type Sought = readonly [question: Question, value: unknown] | null;

export function searchRoutes(
  app: FastifyInstance,
  { database: { readDb, readPool }, catalogueCaches, phaseEntries, completeness }: Services,
): void {
  const statements = {
    'search-at-least': statementsOf(readDb, 'search-at-least'),
    'search-exactly': statementsOf(readDb, 'search-exactly'),
    'search-formula': statementsOf(readDb, 'search-formula'),
    'search-id': statementsOf(readDb, 'search-id'),
  };
  /** Total numbers of matches until the catalogue changes. */
  const counts = catalogueCaches.create<number>(REMEMBERED_COUNTS);
  const kept = keptAnswers(catalogueCaches, KEPT_BYTES);

  /**
   * True if every material with energies is listed on this scale. The energies are then in the row of the
   * material, sorted by an index.
   */
  const isOnlyScale = async (functional: string): Promise<boolean> => {
    const others = await counts.remember(`other scales than ${functional}`, async () => {
      const other = await readDb
        .selectFrom('material')
        .select('struct_id')
        .where('functional', '<>', functional)
        .limit(1)
        .execute();
      return other.length;
    });
    return others === 0;
  };

  async function find(sought: Sought, functional: string) {
    if (sought === null) return { rows: [], count: 0 };
    const [question, value] = sought;
    const { listed, onScale } = statements[question];
    const rows = (await isOnlyScale(functional))
      ? await listed(readPool, value)
      : await onScale(readPool, value, functional);
    if (rows.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
    const count = await counts.remember(`${question} ${JSON.stringify(value)}`, async () => {
      const all = readDb.selectFrom('material').select(sql<number>`count(*)::int`.as('number'));
      return (await all.where(CONDITIONS[question](value)).executeTakeFirstOrThrow()).number;
    });
    return { rows: rows.slice(0, MAX_SEARCH_ROWS), count };
  }

  /**
   * Up to 10,000 rows are written as JSON directly, without validation by the schema. A test compares them
   * with the contract.
   */
  async function answer(
    sought: Sought,
    functional: string | undefined,
    t: Translate,
    extra: { formula?: string } = {},
  ): Promise<string> {
    const scale = await phaseEntries.scale(functional);
    const { rows, count } = await find(sought, scale.functional);
    const systems = rows.map(([, formula]) => elementsOfFormula(formula));
    return JSON.stringify({
      error: 'false',
      message: count > rows.length ? t('search.truncated', { count, limit: MAX_SEARCH_ROWS }) : '',
      ...extra,
      ...scale,
      len: count,
      results: rows,
      completeness: await completeness.ofEach(scale.functional, systems),
    });
  }

  const languageOf = ({ headers }: FastifyRequest) => preferredLanguage(headers['accept-language']);

  serveCall(app, searchByElements, ({ body: { include, functional }, request, t }) =>
    kept(['elements', include, functional, languageOf(request)], async () => {
      const { elements, isWildcard } = parseElementQuery(boundedText(include));
      return answer(
        isWildcard ? ['search-at-least', elements] : ['search-exactly', elements.join('-')],
        functional,
        t,
      );
    }),
  );

  serveCall(app, searchByFormula, ({ body: { include, functional }, request, t }) =>
    kept(['formula', include, functional, languageOf(request)], async () => {
      const { reduced, shown } = canonicalFormula(boundedText(include) || DEFAULT_FORMULA);
      return answer(['search-formula', reduced], functional, t, { formula: shown });
    }),
  );

  serveCall(app, searchByStructId, ({ body: { include, functional }, request, t }) =>
    kept(['id', include, functional, languageOf(request)], async () => {
      const text = boundedText(String(include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      const structId = parseStructId(text);
      return answer(structId === null ? null : ['search-id', structId], functional, t);
    }),
  );
}
