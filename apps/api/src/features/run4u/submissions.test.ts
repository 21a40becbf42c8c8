/** Tests uploads and submissions: accepted files, rejected files, and the quota. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeCif, type Structure } from '@unitcell/crystal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { duringAccountDeletion } from '../../testing/during-account-deletion.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { operationsRepository } from './operations.repository.ts';
import { leasesRepository } from './pipeline/leases.repository.ts';

const PREFIX = '/api/run4u';
let test: TestApp;
let token: string;
let mgoId: number;
const scratch = mkdtempSync(join(tmpdir(), 'unitcell-submissions-'));

beforeAll(async () => {
  const env = { RUN4U_PRESET: 'ci', RUN4U_SCRATCH: scratch, LIMIT_TASKS_WAITING_PER_OWNER: '100' };
  test = await buildTestApp({ env });
  token = await test.signIn();
  [mgoId] = (await storeMaterials(test.database, [rockSalt('Mg', 'O', 4.212)])) as [number];
});
afterAll(async () => {
  await test.close();
  rmSync(scratch, { recursive: true });
});
beforeEach(async () => {
  await test.database.pool.query('DELETE FROM submission');
  await test.database.pool.query('DELETE FROM submission_quota');
});

const cubic = (a: number, atoms: readonly (readonly [string, number, number, number])[]): Structure => ({
  latticeVectors: [
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ],
  sites: atoms.map(([element, x, y, z]) => ({
    species: [{ element, occupancy: 1 }],
    fractionalCoords: [x, y, z],
  })),
});
const FCC = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const diamond = (element: string, a: number): Structure =>
  cubic(
    a,
    FCC.flatMap(([x, y, z]) => [
      [element, x, y, z] as const,
      [element, x + 0.25, y + 0.25, z + 0.25] as const,
    ]),
  );
const siliconCif = writeCif(diamond('Si', 5.431));

async function upload(text: string | Buffer, { name = 'si.cif', field = 'cif-file', language = 'en' } = {}) {
  const form = new FormData();
  form.set(field, new Blob([typeof text === 'string' ? text : new Uint8Array(text)]), name);
  const body = new Response(form);
  return test.app.inject({
    method: 'POST',
    url: `${PREFIX}/run4u_handle/`,
    headers: {
      authorization: `token ${token}`,
      'accept-language': language,
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}

const submit = async (structure: unknown, as = token) =>
  (await test.post(`${PREFIX}/run4u_submit/`, { submit: true, structure }, { token: as })).json();
const dashboard = async (as = token) =>
  (await test.post(`${PREFIX}/dashboard_handle/`, {}, { token: as })).json();
const structureOf = async (text: string) => (await upload(text)).json().structure;

describe('POST /api/run4u/run4u_handle/', () => {
  it('reads a CIF and describes its structure', async () => {
    const answer = (await upload(siliconCif)).json();
    expect(answer).toMatchObject({
      error: 'false',
      message: '',
      formula: 'Si',
      nsites: 8,
      symmetry: { spacegroup: 'Fd-3m', pointgroup: 'm-3m', crystal_system: 'cubic' },
    });
    expect(answer.lattice.a).toBeCloseTo(5.431, 6);
    expect(answer.script).toContain('data_');
  });

  it('reads a POSCAR with any file name', async () => {
    const poscar =
      'Si\n1.0\n0 2.7155 2.7155\n2.7155 0 2.7155\n2.7155 2.7155 0\nSi\n2\nDirect\n0 0 0\n.25 .25 .25\n';
    expect((await upload(poscar, { name: 'anything.txt' })).json()).toMatchObject({
      error: 'false',
      nsites: 2,
    });
  });

  it('returns an empty message for any other format', async () => {
    for (const text of ['%PDF-1.4 nothing', 'hello', Buffer.from([0, 1, 2, 255, 254])])
      expect((await upload(text, { name: 'file.txt' })).json()).toMatchObject({ error: 'true', message: '' });
  });

  it('reports the line of a syntax error', async () => {
    const answer = (await upload(siliconCif.replace('Si 0.', 'Qq 0.').replace('Si1 Si', 'Qq1 Qq'))).json();
    expect(answer).toMatchObject({ error: 'true' });
  });

  it('rejects a file of 11 KB', async () => {
    expect((await upload(`${siliconCif}\n#${'x'.repeat(11 * 1024)}`)).json()).toMatchObject({
      error: 'true',
      message: expect.stringContaining('10 KB'),
    });
  });

  it('rejects a cell of 101 atoms with error code 01', async () => {
    const atoms = Array.from(
      { length: 101 },
      (_, i) => `He ${((i % 5) / 5).toFixed(2)} ${(((i / 5) | 0) % 5) / 5} ${((i / 25) | 0) / 5}`,
    );
    const cif = `data_x\n_cell_length_a 20\n_cell_length_b 20\n_cell_length_c 20\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${atoms.join('\n')}\n`;
    expect((await upload(cif)).json()).toMatchObject({
      error: 'true',
      error_code: '01',
      message: 'Too many atoms to run (more than 100 atoms), error code:01',
    });
  });

  it('rejects partly occupied sites and overlapping atoms with a message', async () => {
    const cif = (sites: string) =>
      `data_x\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_occupancy\n${sites}\n`;
    expect((await upload(cif('Li1 Li 0 0 0 0.5'))).json().message).toContain('partly occupied');
    expect((await upload(cif('Li1 Li 0 0 0 1\nO1 O 0.05 0 0 1'))).json().message).toContain('apart');
  });

  it('reports a missing file', async () => {
    const answer = await test.post(`${PREFIX}/run4u_handle/`, {}, { token });
    expect(answer.statusCode).toBeLessThan(500);
    expect((await upload('x', { field: 'other' })).json()).toMatchObject({ error: 'true' });
  });
});

describe('assumptions of the structure file parser', () => {
  it("are listed in the user's language", async () => {
    const several = `${siliconCif}\n${siliconCif.replace(/^data_\S+/m, 'data_other')}`.replaceAll(
      /^_(?:symmetry|space_group)_(?!symop).*$/gm,
      '',
    );
    const warnings = async (language: string): Promise<string[]> =>
      (await upload(several, { language })).json().warnings;
    const english = await warnings('en');
    expect(english[0]).toBe('The file has 1 more structures; the first one is used.');
    const chinese = await warnings('zh');
    expect(chinese.length).toBe(english.length);
    expect(chinese[0]).toBe('该文件还包含另外 1 个结构，仅使用第一个。');
    for (const sentence of chinese) expect(sentence).not.toMatch(/[a-z]{4,} [a-z]{2,}|\{\{/);
  });
});

describe('POST /api/run4u/run4u_submit/', () => {
  it('requires a structure', async () => {
    for (const structure of [null, '', undefined])
      expect(await submit(structure)).toMatchObject({ message: 'Error' });
  });

  it('queues a structure and shows it', async () => {
    expect(await submit(await structureOf(siliconCif))).toMatchObject({
      message: 'Success',
      status: 'queued',
    });
    const { user_data, quota } = await dashboard();
    expect(user_data.history).toHaveLength(1);
    expect(user_data.history[0]).toMatchObject({
      index: 1,
      formula: 'Si',
      spacegroup: 'Fd-3m',
      status: 'queued',
      queue_position: 0,
      reason_code: 'no-worker',
      can_cancel: true,
      struct_id: null,
    });
    expect(user_data.lattice.a).toBeCloseTo(5.431, 6);
    expect(quota).toMatchObject({ limit: 3, left: 2, predicted: { limit: 50, left: 50 } });
  });

  const magnesia = (a: number, shift = 0) =>
    cubic(
      a,
      FCC.flatMap(([x, y, z]) => [['Mg', x + shift, y, z] as const, ['O', x + 0.5 + shift, y, z] as const]),
    );

  it('recognises a stored material by structure match, not by formula', async () => {
    expect(await submit(await structureOf(writeCif(magnesia(4.25, 0.13))))).toMatchObject({
      message: 'Success',
      status: 'existed',
      struct_id: mgoId,
    });
    const cesiumChlorideType = cubic(2.65, [
      ['Mg', 0, 0, 0],
      ['O', 0.5, 0.5, 0.5],
    ]);
    expect(await submit(await structureOf(writeCif(cesiumChlorideType)))).toMatchObject({ status: 'queued' });
    const { user_data } = await dashboard();
    const existed = user_data.history[1];
    expect(existed).toMatchObject({ status: 'existed', struct_id: mgoId, can_cancel: false });
    const detail = (await test.post(`${PREFIX}/run4u_detail/`, { id: existed.id }, { token })).json();
    expect(detail.match).toMatchObject({ struct_id: mgoId, rms: expect.any(Number) });
    expect(detail.match.rms).toBeLessThan(0.01);
  });

  it('shows the result of the potential in the submission, in the language of the user', async () => {
    const { id } = await submit(await structureOf(siliconCif));
    const predicted = {
      model: 'SevenNet-0 (11July2024)',
      cell: {
        lattice: [0, 2.7345, 2.7345, 2.7345, 0, 2.7345, 2.7345, 2.7345, 0],
        species: ['Si', 'Si'],
        coords: [0, 0, 0, 0.25, 0.25, 0.25],
      },
      energyPerAtom: -5.40298,
      maxForce: 0.0004,
      pressureGpa: 0.01,
      warnings: [['potential.predicted', { model: 'SevenNet-0' }]],
    };
    await test.database.pool.query(
      "UPDATE submission SET status = 'finished', state = jsonb_build_object('predicted', $2::jsonb) WHERE id = $1",
      [id, JSON.stringify(predicted)],
    );
    const { row, match } = (
      await test.post(`${PREFIX}/run4u_detail/`, { id }, { token, language: 'en' })
    ).json();
    expect(match).toBeNull();
    expect(row).toMatchObject({ status: 'finished', struct_id: null, progress: 1 });
    expect(row.predicted).toMatchObject({
      model: 'SevenNet-0 (11July2024)',
      energy_per_atom: -5.40298,
      max_force: 0.0004,
      warnings: [expect.stringContaining('not calculated from first principles')],
      relaxed: { formula: 'Si', nsites: 2, script: expect.stringContaining('_cell_length_a') },
    });
    expect((await dashboard()).user_data.history[0]).not.toHaveProperty('predicted');
  });

  it('does not charge the quota for a stored material, even when the quota is used up', async () => {
    const known = await structureOf(writeCif(magnesia(4.25)));
    expect(await submit(known)).toMatchObject({ status: 'existed' });
    expect((await dashboard()).quota.left).toBe(3);
    const silicon = await structureOf(siliconCif);
    for (let n = 0; n < 3; n++) await submit(silicon);
    expect(await submit(silicon)).toMatchObject({ message: 'Full', limit: 3 });
    expect(await submit(known)).toMatchObject({ status: 'existed', struct_id: mgoId });
  });

  it('charges stored materials after fifty a day, so that the table cannot be filled for free', async () => {
    const known = await structureOf(writeCif(magnesia(4.25)));
    await submit(known);
    await test.database.pool.query(
      `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites, struct_id)
       SELECT account_id, status, formula, space_group, structure, nsites, struct_id FROM submission, generate_series(1, 49)`,
    );
    expect(await submit(known)).toMatchObject({ status: 'existed' });
    expect((await dashboard()).quota.left).toBe(2);
  });

  it('accepts three submissions per day and account, also among fifty concurrent requests', async () => {
    const structure = await structureOf(siliconCif);
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(structure)));
    expect(answers.filter((answer) => answer.message === 'Success')).toHaveLength(3);
    expect(answers.filter((answer) => answer.message === 'Full')).toHaveLength(47);
    const { rows } = await test.database.pool.query('SELECT count(*)::int AS n FROM submission');
    expect(rows[0].n).toBe(3);
    expect((await dashboard()).quota.left).toBe(0);
  });

  it('accepts nothing while the account is being deleted, because nothing would cancel it later', async () => {
    const leaving = await test.signIn('13900000009');
    const { userid } = (await test.get('/api/arkid/get_user_infor/', { token: leaving })).json();
    const structure = await structureOf(siliconCif);
    const outcome = await duringAccountDeletion(test, userid, () => submit(structure, leaving));
    expect(outcome).toMatchObject({ value: { code: 'auth.invalid' } });
    expect((await test.database.pool.query('SELECT FROM submission')).rowCount).toBe(0);
  });

  it('has a separate daily quota for predictions, which are also made for stored materials', async () => {
    const known = await structureOf(writeCif(magnesia(4.25)));
    const predict = async (wish: object) =>
      (
        await test.post(`${PREFIX}/run4u_submit/`, { submit: true, structure: known, ...wish }, { token })
      ).json();
    expect(await predict({ method: 'prediction' })).toMatchObject({ status: 'queued' });
    const { id } = await predict({ tasks: ['phonons'] });
    const { quota, user_data } = await dashboard();
    expect(quota).toMatchObject({ limit: 3, left: 3, predicted: { limit: 50, left: 48 } });
    expect(user_data.history[0]).toMatchObject({ id, method: 'prediction' });
    await test.database.pool.query('UPDATE submission_quota SET predicted = 50');
    expect(await predict({ tasks: [] })).toMatchObject({ message: 'Full', limit: 50 });
    await test.post(`${PREFIX}/run4u_cancel/`, { id }, { token });
    expect((await dashboard()).quota.predicted).toEqual({ limit: 50, left: 1 });
    expect(await submit(await structureOf(siliconCif))).toMatchObject({ status: 'queued' });
  });

  it('accepts nothing from an account without submissions, neither calculations nor predictions', async () => {
    await test.database.pool.query('UPDATE account SET run4u_daily_limit = 0');
    try {
      const structure = await structureOf(siliconCif);
      for (const method of ['first-principles', 'prediction']) {
        const body = { submit: true, structure, method };
        const answer = await test.post(`${PREFIX}/run4u_submit/`, body, { token });
        expect([method, answer.json()]).toEqual([method, { error: 'false', message: 'Full', limit: 0 }]);
      }
    } finally {
      await test.database.pool.query('UPDATE account SET run4u_daily_limit = NULL');
    }
  });

  it('rejects structures that were changed after the upload and are no longer valid', async () => {
    const structure = await structureOf(siliconCif);
    structure.sites[0].species[0].occu = 0.5;
    expect((await submit(structure)).message).toContain('partly occupied');
    structure.sites = [{ species: [{ element: 'Xx', occu: 1 }], abc: [0, 0, 0] }];
    expect((await submit(structure)).error).toBe('true');
  });
});

describe('POST /api/run4u/run4u_cancel/ and run4u_resubmit/', () => {
  it('cancels a waiting submission once, refunds the quota, and resubmits it', async () => {
    const { id } = await submit(await structureOf(siliconCif));
    const act = async (verb: string) =>
      (await test.post(`${PREFIX}/run4u_${verb}/`, { id }, { token })).json();
    expect((await act('resubmit')).code).toBe('run4u.not-resubmittable');
    const stranger = await test.signIn('13900000000');
    for (const verb of ['cancel', 'resubmit', 'detail']) {
      const refused = await test.post(`${PREFIX}/run4u_${verb}/`, { id }, { token: stranger });
      expect([verb, refused.statusCode, refused.json().code]).toEqual([verb, 404, 'run4u.not-found']);
    }
    expect((await dashboard()).quota.left).toBe(2);
    expect(await act('cancel')).toMatchObject({ message: 'Success' });
    expect((await dashboard()).quota.left).toBe(3);
    expect((await act('cancel')).code).toBe('run4u.not-cancellable');
    expect(await act('resubmit')).toMatchObject({ message: 'Success', status: 'queued' });
    const { user_data, quota } = await dashboard();
    expect(user_data.history.map((row: { status: string }) => row.status)).toEqual(['queued', 'cancelled']);
    expect(quota.left).toBe(2);
  });

  it('shows and continues the last step of a relaxation that did not converge', async () => {
    const { id } = await submit(await structureOf(siliconCif));
    const { rows } = await test.database.pool.query('SELECT structure FROM submission');
    const { lattice, coords } = rows[0].structure;
    const last = { step: 300, lattice: lattice.map((x: number) => 1.02 * x), positions: coords };
    const course = { energies: [-5, -5.1], forces: [1, 0.1], frames: [last] };
    await test.database.pool.query(
      `UPDATE submission SET status = 'failed', reason_code = 'relax-not-converged', state = $1`,
      [JSON.stringify({ course })],
    );
    const detail = await test.post(`${PREFIX}/run4u_detail/`, { id }, { token });
    expect(detail.json().row.course).toEqual(course);
    const again = (await test.post(`${PREFIX}/run4u_resubmit/`, { id }, { token })).json();
    const { rows: next } = await test.database.pool.query(
      'SELECT structure, state FROM submission WHERE id = $1',
      [again.id],
    );
    const volume = ([a, b, c, d, e, f, g, h, i]: number[]) =>
      a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
    expect(volume(next[0].structure.lattice) / volume(lattice)).toBeCloseTo(1.02 ** 3, 4);
    // The limit of the volume change refers to the crystal that was submitted first, even in a longer chain.
    const { startVolume } = next[0].state;
    expect(startVolume).toBeCloseTo(Math.abs(volume(lattice)) / rows[0].structure.species.length, 4);
    await test.database.pool.query(
      `UPDATE submission SET status = 'failed', reason_code = 'relax-not-converged', state = $2 WHERE id = $1`,
      [again.id, JSON.stringify({ ...next[0].state, course })],
    );
    const third = (await test.post(`${PREFIX}/run4u_resubmit/`, { id: again.id }, { token })).json();
    const { rows: chained } = await test.database.pool.query('SELECT state FROM submission WHERE id = $1', [
      third.id,
    ]);
    expect(chained[0].state.startVolume).toBe(startVolume);
  });

  it.each([
    { method: 'first-principles', tasks: ['elastic'], physics: ['hubbard-u', 'dispersion'] },
    { method: 'prediction', tasks: ['barrier', 'eos'], ion: 'Na', potential: 'sevennet-l3i5' },
  ])('resubmits everything that was requested: $method', async (wish) => {
    const structure = await structureOf(siliconCif);
    const body = { submit: true, structure, ...wish };
    const { id } = (await test.post(`${PREFIX}/run4u_submit/`, body, { token })).json();
    await test.post(`${PREFIX}/run4u_cancel/`, { id }, { token });
    const again = (await test.post(`${PREFIX}/run4u_resubmit/`, { id }, { token })).json();
    const { rows } = await test.database.pool.query(
      'SELECT jsonb_build_object($1::text, method) || state AS wish FROM submission WHERE id = $2',
      ['method', again.id],
    );
    expect(rows).toEqual([{ wish }]);
  });

  it('refunds nothing for a submission that ran', async () => {
    const { id } = await submit(await structureOf(siliconCif));
    await leasesRepository(test.database).claim('a worker', ['']);
    await test.post(`${PREFIX}/run4u_cancel/`, { id }, { token });
    expect((await dashboard()).quota.left).toBe(2);
  });

  it('refunds a submission once, however often an operator queues it again', async () => {
    const structure = await structureOf(siliconCif);
    await submit(structure);
    const { id } = await submit(structure);
    await test.post(`${PREFIX}/run4u_cancel/`, { id }, { token });
    await operationsRepository(test.database).retry(id);
    await test.post(`${PREFIX}/run4u_cancel/`, { id }, { token });
    expect((await dashboard()).quota.left).toBe(2);
  });

  it('measures the time of a requeued submission from its new start', async () => {
    const { id } = await submit(await structureOf(siliconCif));
    await test.database.pool.query(
      "UPDATE submission SET status = 'failed', started_at = now() - interval '9 d', finished_at = now() - interval '8 d'",
    );
    await operationsRepository(test.database).retry(id);
    await leasesRepository(test.database).claim('a worker', ['']);
    const [row] = (await dashboard()).user_data.history;
    expect(Date.now() - Date.parse(row.start_time)).toBeLessThan(600_000);
  });
});

it('a calculated material that was merged keeps its charge density, and its submission shows the crystal', async () => {
  const id = (await submit(await structureOf(siliconCif))).id as number;
  await test.database.pool.query(
    "UPDATE submission SET status = 'finished', struct_id = 2000000001, finished_at = now()",
  );
  await test.database.pool.query('INSERT INTO retired_id (struct_id, target_id) VALUES (2000000001, $1)', [
    mgoId,
  ]);
  mkdirSync(join(scratch, 'densities'));
  writeFileSync(join(scratch, 'densities', `${id}.cube.gz`), gzipSync('the density'));
  for (const structId of [mgoId, 2000000001])
    expect((await test.get(`/api/materials/${structId}/density.cube`, { token })).body).toBe('the density');
  const detail = (await test.post(`${PREFIX}/run4u_detail/`, { id }, { token })).json();
  expect(detail.match.material.formula).toBe('MgO');
});

describe('GET /api/run4u/events/', () => {
  it('sends the dashboard at once and after a change', async () => {
    await test.app.listen({ port: 0 });
    const address = test.app.server.address() as { port: number };
    const stop = new AbortController();
    const response = await fetch(`http://127.0.0.1:${address.port}${PREFIX}/events/`, {
      headers: { authorization: `token ${token}` },
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) text += (await reader.read()).value ?? '';
    };
    await readUntil('"history":[]');
    await submit(await structureOf(siliconCif));
    await readUntil('"status":"queued"');
    expect(text).toContain('event: dashboard\ndata: ');
    stop.abort();
  });
});
