/** The three searches: routes, rules and SQL. Rows come from the database as arrays in the order of the contract, ready to be sent. */
import { parseStructId } from '@unitcell/contract/common';
import {
  MAX_SEARCH_ROWS,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract/matdata';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/phase-diagram';
import { fields, SEARCH_ROW, type SearchResult, type SearchRow } from '@unitcell/material';
import { type AliasedExpression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import {
  boundedText,
  canonicalFormula,
  DEFAULT_FORMULA,
  type ElementQuery,
  parseElementQuery,
} from '../../domain/query/query-text.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { DB } from '../../generated/tables/tables.ts';
import type { Database, Db } from '../../infra/database.ts';
import { preparedArrays } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { keptAnswers, serveCall } from '../../http/serve-call.ts';
import { preferredLanguage, type Translate } from '../../messages/messages.ts';

interface SearchRows {
  readonly rows: readonly SearchRow[];
  /** True number of matches. */
  readonly count: number;
}

/** Remembers true numbers of matches for as long as the catalogue stays as it is. */
interface MatchCounts {
  remember(key: string, count: () => Promise<number>): Promise<number>;
}

type SearchRepository = ReturnType<typeof searchRepository>;

type Selection = {
  [Name in keyof SearchResult]: AliasedExpression<SearchResult[Name], Name>;
}[keyof SearchResult];

const { ref } = expressionBuilder<DB & { scale: DB['material_energy'] }, 'material' | 'scale'>();
/** @param energies the table of formation energies and energies above the hull: those of the scale listed, or of another */
const columns = (energies: 'material' | 'scale') =>
  SEARCH_ROW.map((name) => {
    const { column } = fields[name];
    const isOfScale = column === 'formation_energy_per_atom' || column === 'energy_above_hull';
    return (isOfScale ? ref(`${energies}.${column}`) : ref(`material.${column}`)).as(name) as Selection;
  });

/** What is asked, by the names of its statements. */
const CONDITIONS = {
  'search-at-least': (elements) => sql`${ref('material.elements')} @> ${elements}::text[]`,
  'search-exactly': (system) => sql`${ref('material.chemical_system')} = ${system}`,
  'search-formula': (formula) => sql`${ref('material.formula_reduced')} = ${formula}`,
  'search-id': (structId) => sql`${ref('material.struct_id')} = current_struct_id(${structId})`,
} as const satisfies Readonly<Record<string, (value: unknown) => RawBuilder<boolean>>>;
type Question = keyof typeof CONDITIONS;

/** One more row than may be sent tells whether the matches have to be counted. */
const LIMIT = sql.lit(MAX_SEARCH_ROWS + 1);

/** Statements of a question: on the scale every material is listed with, and on another. */
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

function searchRepository({ readDb, readPool }: Pick<Database, 'readDb' | 'readPool'>, counts: MatchCounts) {
  const statements = {
    'search-at-least': statementsOf(readDb, 'search-at-least'),
    'search-exactly': statementsOf(readDb, 'search-exactly'),
    'search-formula': statementsOf(readDb, 'search-formula'),
    'search-id': statementsOf(readDb, 'search-id'),
  };
  const number = sql<number>`count(*)::int`.as('number');

  /** Every material with energies is listed on this scale: then they stand in its row, in the order of an index. */
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

  async function select(question: Question, value: unknown, functional: string): Promise<SearchRows> {
    const { listed, onScale } = statements[question];
    const rows = (await isOnlyScale(functional))
      ? await listed(readPool, value)
      : await onScale(readPool, value, functional);
    if (rows.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
    const count = await counts.remember(`${question} ${JSON.stringify(value)}`, async () => {
      const all = readDb.selectFrom('material').select(number).where(CONDITIONS[question](value));
      return (await all.executeTakeFirstOrThrow()).number;
    });
    return { rows: rows.slice(0, MAX_SEARCH_ROWS), count };
  }

  return {
    byElements: ({ elements, isWildcard }: ElementQuery, functional: string): Promise<SearchRows> =>
      isWildcard
        ? select('search-at-least', elements, functional)
        : select('search-exactly', elements.join('-'), functional),

    byReducedFormula: (formula: string, functional: string): Promise<SearchRows> =>
      select('search-formula', formula, functional),

    byStructId: (structId: number, functional: string): Promise<SearchRows> =>
      select('search-id', structId, functional),
  };
}

// ── The rules ──

interface Found extends SearchRows {
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness;
}

const NOTHING: SearchRows = { rows: [], count: 0 };

function search(
  repository: SearchRepository,
  { scale }: Pick<PhaseEntries, 'scale'>,
  completeness: Pick<Completenesses, 'ofEach'>,
) {
  /** What was typed is read first: its refusal is the more helpful one. */
  async function onScale(
    requested: string | undefined,
    find: (functional: string) => Promise<SearchRows>,
  ): Promise<Found> {
    const known = await scale(requested);
    const found = await find(known.functional);
    const systems = found.rows.map(([, formula]) => elementsOfFormula(formula));
    return { ...found, scale: known, completeness: await completeness.ofEach(known.functional, systems) };
  }

  return {
    /** @throws AppError search.*, phase.unknown-scale */
    async byElements(include: string, functional?: string): Promise<Found> {
      const query = parseElementQuery(boundedText(include));
      return onScale(functional, (name) => repository.byElements(query, name));
    },

    /** Also answers the formula as it was understood. */
    async byFormula(include: string, functional?: string): Promise<Found & { formula: string }> {
      const { reduced, shown } = canonicalFormula(boundedText(include) || DEFAULT_FORMULA);
      const found = await onScale(functional, (name) => repository.byReducedFormula(reduced, name));
      return { ...found, formula: shown };
    },

    async byStructId(include: string | number, functional?: string): Promise<Found> {
      const text = boundedText(String(include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      const structId = parseStructId(text);
      return onScale(functional, async (name) =>
        structId === null ? NOTHING : repository.byStructId(structId, name),
      );
    },
  };
}

const isTruncated = ({ rows, count }: SearchRows): boolean =>
  count > rows.length && rows.length === MAX_SEARCH_ROWS;

// ── The routes ──

/** Searches with more matches than are sent, whose true number is remembered. */
const REMEMBERED_COUNTS = 1000;
/** Of answers to searches; that of a system of a hundred materials takes some 20 kB. */
const KEPT_BYTES = 32 * 2 ** 20;

/** Up to 10,000 rows: written as JSON at once, not walked through a schema. A test holds them against the contract. */
function toJson(found: Found, t: Translate, extra: { formula?: string } = {}): string {
  const message = isTruncated(found)
    ? t('search.truncated', { count: found.count, limit: MAX_SEARCH_ROWS })
    : '';
  return JSON.stringify({
    error: 'false',
    message,
    ...extra,
    ...found.scale,
    len: found.count,
    results: found.rows,
    completeness: found.completeness,
  });
}

export function searchRoutes(
  app: FastifyInstance,
  { database, catalogueCaches, phaseEntries, completeness }: Services,
): void {
  const counts = catalogueCaches.create<number>(REMEMBERED_COUNTS);
  const searches = search(searchRepository(database, counts), phaseEntries, completeness);
  const kept = keptAnswers(catalogueCaches, KEPT_BYTES);
  const languageOf = ({ headers }: FastifyRequest) => preferredLanguage(headers['accept-language']);
  serveCall(app, searchByElements, ({ body: { include, functional }, request, t }) =>
    kept(['elements', include, functional, languageOf(request)], async () =>
      toJson(await searches.byElements(include, functional), t),
    ),
  );

  serveCall(app, searchByFormula, ({ body: { include, functional }, request, t }) =>
    kept(['formula', include, functional, languageOf(request)], async () => {
      const found = await searches.byFormula(include, functional);
      return toJson(found, t, { formula: found.formula });
    }),
  );

  serveCall(app, searchByStructId, ({ body: { include, functional }, request, t }) =>
    kept(['id', include, functional, languageOf(request)], async () =>
      toJson(await searches.byStructId(include, functional), t),
    ),
  );
}
