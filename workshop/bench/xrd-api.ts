/**
 * XRD matches over HTTP on 300,000 materials: `node --import tsx workshop/bench/xrd-api.ts`.
 *
 * A database of its own gets the patterns of datasets/mp-structures, then the same again with cells scaled by up to ± 4 %; the API
 * starts on it. Measured: the wait of a match that arrives with the start of the server (index and threads), then matches of one
 * client after the other, without and with an element filter, and the time until a new material is found. One JSON line per case.
 */
import { readFileSync } from 'node:fs';
import { chemicalSystem, parseFormula } from '@unitcell/crystal';
import { packPattern, unpackPattern } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { withClient } from '@unitcell/tools/database';
import { sharedPath } from '@unitcell/tools/shared-data';
import { mpPatterns } from './mp-patterns.ts';
import { type OwnApi, openOwnDatabase, post, quantile, startOwnApi } from './own-api.ts';

const SIZE = 300_000;
const PAGE = 5_000;
const ROUNDS = 5;
const FILES = ['corundum', 'halite', 'anorthite'];
const FILTERS = ['', 'include: Al Si O *', 'include: O *'];

interface Client {
  query(text: string, values?: readonly unknown[]): Promise<unknown>;
}

interface Match {
  readonly candidates: number;
  readonly seconds: number;
  readonly results: readonly (readonly [number, number, string])[];
}

const STORE = `WITH made AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::bytea[]) AS row (struct_id, formula, system, pattern)
  ), stored AS (
    INSERT INTO material (struct_id, formula, formula_reduced, formula_anonymous, chemical_system, elements, nelements,
      nsites, space_group_number, space_group, hall, point_group, crystal_system, lattice_type, volume, density,
      source_name, source_id, source_licence, content_hash, updated_at)
    SELECT struct_id, formula, formula, formula, system, string_to_array(system, '-'),
      cardinality(string_to_array(system, '-')), 1, 1, 'P1', 'P 1', '1', 'triclinic', 'aP', 1, 1,
      'bench', struct_id::text, 'CC0', sha256(int4send(struct_id)), now() FROM made)
  INSERT INTO powder_pattern (struct_id, pattern) SELECT struct_id, pattern FROM made`;

interface Row {
  readonly id: number;
  readonly formula: string;
  readonly pattern: Uint8Array;
}

const store = (client: Client, rows: readonly Row[]): Promise<unknown> =>
  client.query(STORE, [
    rows.map(({ id }) => id),
    rows.map(({ formula }) => formula),
    rows.map(({ formula }) => chemicalSystem(parseFormula(formula))),
    rows.map(({ pattern }) => Buffer.from(pattern)),
  ]);

function* catalogue(): Generator<Row> {
  const { rows, packed } = mpPatterns();
  const random = seededRandom(300);
  for (let i = 0; i < SIZE; i++) {
    const formula = rows[i % rows.length]?.[1] ?? 'H';
    const bytes = packed[i % packed.length] ?? new Uint8Array();
    if (i < packed.length) yield { id: i + 1, formula, pattern: bytes };
    else {
      const scale = 1 + 0.08 * (random() - 0.5);
      const { dSpacings, intensities } = unpackPattern(bytes);
      yield {
        id: i + 1,
        formula,
        pattern: packPattern({ dSpacings: dSpacings.map((d) => d * scale), intensities }),
      };
    }
  }
}

async function fill(client: Client): Promise<void> {
  let page: Row[] = [];
  for (const row of catalogue()) {
    page.push(row);
    if (page.length < PAGE) continue;
    await store(client, page);
    page = [];
  }
  await store(client, page);
  await client.query('ANALYZE');
}

async function receive(api: OwnApi, file: string): Promise<object> {
  const form = new FormData();
  form.append('xrd-file', new Blob([readFileSync(sharedPath('datasets', 'xrd-exp', `${file}.txt`))]), file);
  const answer = await fetch(`${api.url}/api/xrd/xrd_receive/`, {
    method: 'POST',
    headers: { authorization: `token ${api.token}` },
    body: form,
  });
  return (await answer.json()) as object;
}

async function match(api: OwnApi, body: object): Promise<Match & { readonly ms: number }> {
  const { body: text, milliseconds } = await post(api, '/api/xrd/xrd_match/', { top: 10, ...body });
  return { ...(JSON.parse(text.toString()) as Match), ms: milliseconds };
}

async function measure(api: OwnApi, client: Client): Promise<void> {
  const xrd_data = await receive(api, 'corundum');
  const first = await match(api, { xrd_data });
  const print = (values: object): void => console.log(JSON.stringify({ bench: 'xrd-api', ...values }));
  print({ case: 'first match after the start', patterns: first.candidates, ms: Math.round(first.ms) });

  for (const file of FILES) {
    const data = await receive(api, file);
    for (const match_way of ['Euclidean', 'DTW'])
      for (const elements of FILTERS) {
        const rounds: (Match & { readonly ms: number })[] = [];
        for (let i = 0; i < ROUNDS; i++)
          rounds.push(await match(api, { xrd_data: data, match_way, elements }));
        print({
          file,
          method: match_way,
          elements,
          candidates: rounds[0]?.candidates,
          firstMs: Math.round(rounds[0]?.ms ?? 0),
          medianMs: Math.round(
            quantile(
              rounds.map(({ ms }) => ms),
              0.5,
            ),
          ),
        });
      }
  }

  const pattern = packPattern({ dSpacings: [3, 2], intensities: [1, 1] });
  await store(client, [{ id: SIZE + 1, formula: 'NaCl', pattern }]);
  await client.query("SELECT pg_notify('catalogue_changed', '')");
  const changed = performance.now();
  let slowest = 0;
  for (;;) {
    const { candidates, ms } = await match(api, { xrd_data, match_way: 'Euclidean' });
    slowest = Math.max(slowest, ms);
    if (candidates > SIZE || performance.now() - changed > 120_000) break;
  }
  print({
    case: 'a new material is found',
    afterMs: Math.round(performance.now() - changed),
    slowestMatchMeanwhileMs: Math.round(slowest),
  });
}

const database = await openOwnDatabase();
try {
  await withClient(database.url, async (client: Client) => {
    await fill(client);
    const api = await startOwnApi(database.url);
    try {
      await measure(api, client);
    } finally {
      await api.stop();
    }
  });
} finally {
  await database.drop();
}
