/** Screening: matches, order, counts and refusals. */
import { screenMaterials } from '@unitcell/contract/matdata';
import type { Filter } from '@unitcell/filter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { type Answer, screening, storeScreened, sumOf } from '../../testing/screening.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeScreened(test.database);
});
afterAll(() => test.close());
const { ask, idsOf } = screening(() => ({ test, token }));

describe('POST /api/matdata/screen/', () => {
  it('returns everything without a filter, lowest energy above hull first, in columns of the searches', async () => {
    const answer = await ask({});
    expect(screenMaterials.answer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ error: 'false', total: 19, catalogue: 19, next: null, filter: '' });
    const [first] = answer.rows;
    const searched = await test.post('/api/matdata/search_by_struct_id/', { include: first![0] }, { token });
    expect(searched.json<{ results: unknown[][] }>().results[0]).toEqual(first);
  });

  it('finds cubic oxides with a gap, near the hull, with an elastic tensor', async () => {
    const filter =
      'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4 AND energy_above_hull <= 0.05 AND has_elastic = TRUE';
    expect(await idsOf({ filter })).toEqual([23]);
    const { conditions } = await ask({ filter: filter.replace('"cubic"', '"hexagonal"') });
    expect(conditions.map(({ filter: text, without }) => [text, without])).toEqual([
      ['elements HAS "O"', 0],
      ['crystal_system = "hexagonal"', 1],
      ['band_gap >= 2 AND band_gap <= 4', 0],
      ['energy_above_hull <= 0.05', 0],
      ['has_elastic = TRUE', 0],
    ]);
  });

  it('shows calculated columns with their unit, and filters, sorts and counts by them', async () => {
    const stiffness = '[bulk_modulus / density]';
    const answer = await ask({
      filter: `${stiffness} > 4 AND [band_gap ^ 2] <= 30`,
      sort: `-${stiffness}`,
      fields: ['struct_id', 'bulk_modulus', 'density', stiffness, 'band_gap', '[band_gap ^ 2]'],
      facets: [stiffness],
      limit: 1000,
    });
    expect(screenMaterials.answer.parse(answer)).toEqual(answer);
    expect(answer.units).toEqual({ [stiffness]: 'GPa·cm³/g', '[band_gap ^ 2]': 'eV²' });
    const rows = answer.rows as number[][];
    expect(rows.map(([id]) => id)).toEqual([26, 20, 23]);
    for (const [, modulus, density, ratio, gap, square] of rows) {
      expect(ratio).toBe(modulus! / density!);
      expect(square).toBe(gap! ** 2);
    }
    expect(rows.map(([, , , ratio]) => ratio)).toEqual(
      rows.map(([, , , ratio]) => ratio!).sort((a, b) => b - a),
    );
    expect(answer.facets[stiffness]).toMatchObject({ kind: 'histogram' });
    expect(sumOf(answer.facets[stiffness]!)).toBe(answer.facets[stiffness]!.total);
    expect(answer.filter).toBe(`${stiffness} > 4 AND [band_gap ^ 2] <= 30`);
    expect(answer.conditions.map(({ filter }) => filter)).toEqual([
      `${stiffness} > 4`,
      '[band_gap ^ 2] <= 30',
    ]);
    expect((await ask({})).units).toBeUndefined();
  });

  it('states where an expression is wrong, in both languages', async () => {
    const filter = 'nsites > 1 AND [bulk_modulus + density] > 2';
    const wrong = await ask({ filter }, 'zh');
    expect(wrong).toMatchObject({ error: 'true', code: 'filter.different-units' });
    expect(wrong.message).toContain('GPa 与 g/cm³ 单位不同');
    expect(wrong.message.split('\n').at(-1)!.indexOf('^')).toBe(filter.indexOf('density'));
    for (const body of [{ sort: '-[nope]' }, { fields: ['[nope]'] }, { facets: ['[nope]'] }])
      expect(await ask(body)).toMatchObject({ error: 'true', code: 'filter.unknown-property' });
    const many = Array.from({ length: 21 }, (_, index) => `[band_gap + ${index}] > 0`).join(' OR ');
    expect(await ask({ filter: many })).toMatchObject({ code: 'filter.too-many-expressions' });
    const powers = (add: number): string =>
      `[${Array.from({ length: 20 }, () => 'nsites').join('^')}+${add}]`;
    expect(await ask({ fields: [powers(1), powers(2)], limit: 0 })).toMatchObject({ error: 'false' });
    expect(await ask({ fields: [powers(1), powers(2), powers(3)] })).toMatchObject({
      code: 'filter.too-many-expressions',
    });
    const sum = `[${Array.from({ length: 4900 }, () => '1').join('+')}]`;
    expect(await ask({ filter: `${sum} > 0` })).toMatchObject({ code: 'filter.expression-too-long' });
    expect(await ask({ filter: '[band_gap > 2' })).toMatchObject({ code: 'filter.unclosed-expression' });
  });

  it('sorts by any column in either direction, unknown values last', async () => {
    const gaps = async (sort: string) =>
      (await ask({ sort, fields: ['band_gap'], limit: 1000 })).rows.map(([gap]) => gap as number | null);
    const rising = await gaps('band_gap');
    const known = rising.filter((gap) => gap !== null);
    expect(rising.slice(known.length).every((gap) => gap === null)).toBe(true);
    expect(known).toEqual([...known].sort((a, b) => a - b));
    expect(await gaps('-band_gap')).toEqual([...known.toReversed(), ...rising.slice(known.length)]);
    const formulas = (await ask({ sort: 'formula', fields: ['formula'], limit: 1000 })).rows.map(
      ([text]) => text,
    );
    expect(formulas).toEqual([...formulas].map(String).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });

  it('reaches all rows by cursor and any page by offset', async () => {
    const body = { filter: 'nelements = 2', sort: '-band_gap', fields: ['struct_id'], limit: 4 };
    const all = await idsOf({ ...body, limit: 1000 });
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const answer: Answer = await ask(cursor === null ? body : { ...body, cursor });
      walked.push(...answer.rows.map(([id]) => id));
      cursor = answer.next;
    } while (cursor !== null);
    expect(walked).toEqual(all);
    expect(await idsOf({ ...body, offset: 8 })).toEqual(all.slice(8, 12));
    expect(await idsOf({ ...body, offset: 100 })).toEqual([]);
  });

  it('counts the remaining rows, and the counts of every facet add up to the total', async () => {
    const facets = [
      'crystal_system',
      'band_gap',
      'nsites',
      'has_elastic',
      'space_group',
      'energy_above_hull',
      'elements',
    ];
    const answer = await ask({ filter: 'elements HAS "O" AND crystal_system = "cubic"', facets, limit: 0 });
    for (const [name, facet] of Object.entries(answer.facets)) {
      // A facet ignores the filter's condition on the same field.
      expect([name, facet.total]).toEqual([name, name === 'crystal_system' ? 10 : answer.total]);
      // A row has several elements; the counts of all other facets add up to the total.
      expect([name, sumOf(facet)]).toEqual([name, facet.total]);
    }
    expect(answer.facets['crystal_system']).toMatchObject({
      values: [
        { value: 'cubic', count: 8 },
        { value: 'tetragonal', count: 2 },
      ],
    });
  });

  it('compares energies on one scale', async () => {
    const filter = 'formation_energy_per_atom IS KNOWN';
    expect(await idsOf({ filter, scale: 'experiment-298K' })).toEqual([50]);
    expect(await idsOf({ filter })).not.toContain(50);
    expect((await ask({ filter: 'struct_id = 50', fields: ['formation_energy_per_atom'] })).rows).toEqual([
      [null],
    ]);
  });

  it('filters by moduli, mean dielectric constants, windows of an ion on the energy scale, topology and import time', async () => {
    // Hill's bulk modulus of the diagonal tensor of 100 GPa is 100/3, its shear modulus (1200/15 + 1500/21)/2.
    expect(await idsOf({ filter: 'bulk_modulus > 33.3 AND bulk_modulus < 33.4' })).toEqual([20, 23, 26]);
    expect(await idsOf({ filter: 'shear_modulus > 75.71 AND shear_modulus < 75.72' })).toHaveLength(3);
    expect(await idsOf({ filter: 'window_width_li >= 6' })).toEqual([28]);
    expect(await idsOf({ filter: 'reduction_onset_li = 0.5 AND oxidation_onset_li IS UNKNOWN' })).toEqual([
      26,
    ]);
    expect(await idsOf({ filter: 'oxidation_onset_na > 3' })).toEqual([26]);
    expect(await idsOf({ filter: 'window_width_li IS KNOWN', scale: 'experiment-298K' })).toEqual([22]);
    // Stable at the oxygen potential of air at 800 °C: an oxide, and a salt without oxygen.
    const inAir =
      'oxygen_potential_max >= -1.2646 AND (oxygen_potential_min <= -1.2646 OR oxygen_potential_min IS UNKNOWN)';
    expect(await idsOf({ filter: inAir })).toEqual([24, 26]);
    const furnace = { temperature: 1073.15, pressure: 0.21 };
    expect(await ask({ stable_in_oxygen: furnace })).toMatchObject({ filter: inAir, total: 2 });
    expect(await idsOf({ filter: 'band_gap > 0', stable_in_oxygen: { temperature: 1073.15 } })).toEqual(
      await idsOf({ filter: `band_gap > 0 AND ${inAir}` }),
    );
    // On the measured scale the zero is O2 at 298.15 K, so the potential is 0.045 eV per O lower.
    const onMeasured = await ask({ stable_in_oxygen: furnace, scale: 'experiment-298K' });
    expect(onMeasured.filter).toContain('oxygen_potential_max >= -1.3096');
    expect(await ask({ stable_in_oxygen: { temperature: -1 } })).toMatchObject({
      code: 'stability.bad-temperature',
    });
    expect(await idsOf({ filter: 'decomposition_energy_in_water <= 0' })).toEqual([24]);
    expect(await idsOf({ filter: inAir, scale: 'experiment-298K' })).toEqual([]);
    expect(await idsOf({ filter: 'topology_class = "LCEBR"' })).toEqual([41]);
    expect(await idsOf({ filter: 'prototype = "136:a2 f4"' })).toEqual(expect.arrayContaining([40, 41]));
    expect(await idsOf({ filter: 'prototype STARTS WITH "225:" AND struct_id <= 21' })).toEqual(
      expect.arrayContaining([20, 21]),
    );
    expect(await idsOf({ filter: 'added > "2026" AND added < "9"' })).toHaveLength(19);
    expect(await idsOf({ filter: 'added > "9"' })).toEqual([]);
    const { rows } = await ask({
      filter: 'struct_id = 28',
      fields: ['window_width_li', 'oxidation_onset_li'],
    });
    expect(rows).toEqual([[6.36, 6.36]]);
  });

  it('finds electrodes by their ion, voltage, capacity and framework on the scale', async () => {
    const cathode =
      'electrode_voltage_li >= 3 AND electrode_voltage_li <= 4 AND electrode_capacity_li > 120 AND electrode_above_hull_li <= 0.05';
    expect(await idsOf({ filter: cathode })).toEqual([28]);
    expect(await idsOf({ filter: 'electrode_capacity_li IS KNOWN', sort: '-electrode_capacity_li' })).toEqual(
      [27, 28],
    );
    expect(await idsOf({ filter: 'electrode_framework_li = "TiS2"' })).toEqual([27]);
    expect(await idsOf({ filter: 'electrode_framework_na = "TiS2"' })).toEqual([28]);
    const fields = ['electrode_voltage_li', 'electrode_framework_li', 'electrode_voltage_na'];
    expect((await ask({ filter: 'struct_id = 28', fields })).rows).toEqual([[3.4, 'FePO4', 2.9]]);
    expect((await ask({ filter: 'struct_id = 28', fields, scale: 'experiment-298K' })).rows).toEqual([
      [3.5, 'FePO4', null],
    ]);
    const { facets } = await ask({ filter: '', facets: ['electrode_framework_li'] });
    expect(facets['electrode_framework_li']).toMatchObject({
      values: [
        { value: 'FePO4', count: 1 },
        { value: 'TiS2', count: 1 },
      ],
      missing: 17,
    });
  });

  it('accepts a filter as a tree instead of a text', async () => {
    const tree: Filter = {
      kind: 'compare',
      property: 'band_gap',
      operator: '>=',
      to: { value: 3.3 },
    };
    expect(await idsOf({ filter: tree })).toEqual(await idsOf({ filter: 'band_gap >= 3.3' }));
  });

  it('states the same release as the detail of a material', async () => {
    const { release, scale } = await ask({ limit: 1 });
    expect(scale.release?.id).toBe(release);
    const id = (await ask({ filter: 'energy_above_hull IS KNOWN', limit: 1, fields: ['struct_id'] }))
      .rows[0]?.[0];
    const detail = await test.post('/api/matdata/get_struct_detail/', { struct_id: id }, { token });
    expect(detail.json().release.id).toBe(release);
  });

  it('is refused without a token', async () =>
    expect((await test.post('/api/matdata/screen/', {})).statusCode).toBe(401));
});

describe('an invalid screening', () => {
  it.each([
    [{ filter: 'bandgap > 2' }, 'filter.unknown-property', /band_gap.*character 1/],
    [{ filter: 'band_gap > 2 and nsites < 9' }, 'filter.expected-end', /Keywords are written in capitals/],
    [{ filter: 'band_gap > 2 eV' }, 'filter.unexpected-character', /without a unit/],
    [
      { filter: 'band_gap >= 4 AND band_gap <= 2' },
      'filter.upside-down',
      /larger than the maximum.*exchange/,
    ],
    [{ filter: "formula = 'x'; DROP TABLE material; --" }, 'filter.unexpected-character', /./],
    [{ filter: '<script>alert(1)</script>' }, 'filter.unexpected-character', /./],
    [{ filter: `formula = "${'x'.repeat(10_000)}"` }, 'filter.too-long', /10000/],
    [{ filter: `${'('.repeat(201)}band_gap > 2${')'.repeat(201)}` }, 'filter.too-deep', /200/],
    [{ filter: { kind: 'drop' } }, 'filter.bad-tree', /filter\.kind/],
    [{ sort: 'band_gaps' }, 'screen.unknown-field', /nearest is band_gap/],
    [{ sort: '-elements' }, 'screen.unknown-field', /nearest/],
    [{ fields: ['content_hash'] }, 'screen.unknown-field', /content_hash/],
    [{ facets: ["x'; --"] }, 'screen.unknown-field', /nearest/],
    [{ scale: 'LDA' }, 'phase.unknown-scale', /LDA/],
    [{ cursor: 'abc' }, 'screen.cursor-unreadable', /first page/],
  ])('%j is refused', async (body, code, message) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ error: 'true', code });
    expect(answer.message).toMatch(message);
    expect((await ask(body, 'zh')).message).toMatch(/[一-龥]/);
  });

  it.each([[{ limit: 1e9 }], [{ offset: -1 }], [{ filter: 7 }], [{ cursor: 'a', offset: 1 }]])(
    '%j is not in the contract',
    async (body) => expect((await test.post('/api/matdata/screen/', body, { token })).statusCode).toBe(400),
  );

  it('a cursor of another query or another release is refused with a message', async () => {
    const { next } = await ask({ limit: 1 });
    expect(await ask({ limit: 1, cursor: next, sort: 'formula' })).toMatchObject({
      code: 'screen.cursor-query',
    });
    const [release, ...others] = Buffer.from(next!, 'base64url').toString().split('.');
    const older = Buffer.from([Number(release) + 1, ...others].join('.')).toString('base64url');
    expect(await ask({ limit: 1, cursor: older })).toMatchObject({ code: 'screen.cursor-release' });
  });
});
