/**
 * Round trip: an imported line gives the same material in the export, the detail answer and the search row.
 */
import { type ImportLine, importLine } from '@unitcell/contract/import-line';
import { materialDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { atomCount, compositionOf, density, displayFormula, fromPymatgenDict } from '@unitcell/crystal';
import {
  fieldOf,
  fields,
  GIVEN_NUMBERS,
  type Given,
  type Matrix,
  type PlacedName,
  placedNames,
  scaledToCell,
  type Scalars,
  SEARCH_ROW,
  type SearchResult,
  searchResultOf,
  unplace,
} from '@unitcell/material';
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { matchStructures } from '@unitcell/symmetry';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { mergeMaterials, storeMaterials } from '../testing/material-factory.ts';
import { type RandomMaterial, randomMaterial, randomSources } from '../testing/random-import-line.ts';
import { rotationsBetween, rotatedTensor } from '../testing/rotated-tensor.ts';
import { exportRows, toImportLine } from './export/export-materials.ts';
import type { StoredMaterial } from './stored-material.ts';

const MATERIALS = 60;

let test: TestApp;
let token: string;
/** Each material as imported, and as every interface returns it. */
let trips: readonly {
  readonly given: RandomMaterial;
  readonly line: ImportLine;
  readonly exported: ImportLine;
  readonly detail: MaterialDetail;
  readonly found: SearchResult;
}[];

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  const given = fc.sample(randomMaterial, { seed: 2026, numRuns: MATERIALS });
  const lines = given.map(({ line }, i) => ({ ...line, struct_id: i + 1 }));
  await storeMaterials(test.database, lines);
  const exported: ImportLine[] = [];
  for await (const row of exportRows(test.database))
    exported.push(importLine.parse(JSON.parse(JSON.stringify(toImportLine(row)))));
  trips = await Promise.all(
    given.map(async (one, i) => {
      const detail = materialDetail.parse(await answer('get_struct_detail', { struct_id: i + 1 }));
      const search = { include: i + 1, ...(detail.run_type && { functional: detail.run_type }) };
      return {
        given: one,
        line: importLine.parse(lines[i]),
        exported: exported[i]!,
        detail,
        found: searchResultOf((await answer('search_by_struct_id', search)).results[0]),
      };
    }),
  );
});
afterAll(() => test.close());

async function answer(call: string, body: object) {
  const response = await test.post(`/api/matdata/${call}/`, body, { token });
  if (response.statusCode !== 200) throw new Error(`${call} answered ${response.body}`);
  return response.json();
}

const omit = (record: object, ...keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** The scalars of a line by name, for a cell that contains the cell of the line `cells` times. */
const scalarsOf = (line: ImportLine, cells: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(scaledToCell(unplace<'line', Given>('line', line), cells)).map(([name, value]) => [
      name,
      typeof value === 'number' ? close(value) : value,
    ]),
  );
const lineValue = (line: ImportLine, name: string): unknown => scalarsOf(line, 1)[name];

const siteCount = ({ structure }: ImportLine): number => structure.sites.length;
const atomsOf = ({ structure }: ImportLine): number => atomCount(compositionOf(fromPymatgenDict(structure)));

/** Equal except for rounding. */
const close = (value: number): unknown =>
  expect.toSatisfy(
    (found: unknown) =>
      typeof found === 'number' && Math.abs(found - value) <= 1e-9 * Math.max(1, Math.abs(value)),
  );
const closeTimes = (value: number | null, factor: number): unknown =>
  value === null ? null : close(value * factor);

const byFunctional = <T extends { readonly functional: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (a.functional < b.functional ? -1 : 1));

/** Densities of states multiplied by the number of cells. */
const densitiesTimes = (densities: ImportLine['dos'], factor: number): unknown[] =>
  byFunctional(densities).map(({ total, totalDown, projected, ...rest }) => {
    const times = (values: readonly number[]) => values.map((value) => close(value * factor));
    return {
      ...rest,
      total: times(total),
      ...(totalDown && { totalDown: times(totalDown) }),
      ...(projected && {
        projected: Object.fromEntries(Object.entries(projected).map(([key, values]) => [key, times(values)])),
      }),
    };
  });

/** All energies of a line per atom, its top-level energy scale first. */
function scalesOf(line: ImportLine) {
  const isOwn = line.energy !== undefined || line.formation_energy_per_atom !== undefined;
  const own = { ...line, functional: line.functional ?? 'unspecified', source: undefined };
  return [...(isOwn ? [own] : []), ...line.energies].map((scale) => ({
    functional: scale.functional,
    energyPerAtom: scale.energy === undefined ? null : scale.energy / atomsOf(line),
    formationEnergy: scale.formation_energy_per_atom ?? null,
    source: scale.source ?? {},
  }));
}

/** Tensors of one crystal in two frames: a single rotation of the lattice maps all of them. */
function expectRotated(
  pairs: readonly (readonly [unknown, Matrix | undefined])[],
  rotations: readonly Mat3[],
) {
  const misses = rotations.map((rotation) =>
    Math.max(
      0,
      ...pairs.map(([found, given]) => {
        if (given === undefined) return (found ?? null) === null ? 0 : Number.POSITIVE_INFINITY;
        if (!Array.isArray(found)) return Number.POSITIVE_INFINITY;
        const expected = rotatedTensor(given, rotation).flat();
        return Math.max(...found.flat().map((value: number, i) => Math.abs(value - expected[i]!)));
      }),
    ),
  );
  // Components are in the hundreds; the cells are stored with eight decimals.
  expect(Math.min(...misses)).toBeLessThan(1e-4);
}

const isSameCrystal = (a: ImportLine['structure'], b: ImportLine['structure']): void => {
  const match = matchStructures(fromPymatgenDict(a), fromPymatgenDict(b), { scale: false });
  expect(match?.rms).toBeLessThan(1e-6);
};

/** Values in the frame and the units of the line, independent of the cell. */
const GIVEN_AS_IT_IS = [
  'struct_id',
  'provenance',
  'topology',
  'elastic_tensor',
  'dielectric',
  'piezoelectric_total',
] as const;

describe('a random imported material', () => {
  it('is exported with the imported values, for the exported cell', () => {
    expect(trips.map(({ exported }) => exported.struct_id)).toEqual(trips.map(({ line }) => line.struct_id));
    for (const { line, exported } of trips) {
      const cells = siteCount(exported) / siteCount(line);
      for (const key of GIVEN_AS_IT_IS) expect(exported[key]).toEqual(line[key]);
      expect(unplace<'line', Given>('line', exported)).toEqual(scalarsOf(line, cells));
      expect(byFunctional(exported.bands)).toEqual(byFunctional(line.bands));
      expect(byFunctional(exported.dos)).toEqual(densitiesTimes(line.dos, cells));
      isSameCrystal(exported.structure, line.structure);
      const [own, ...others] = scalesOf(line);
      expect(scalesOf(exported)).toEqual(
        [...(own ? [{ ...own, source: {} }] : []), ...byFunctional(others)].map((scale) => ({
          ...scale,
          energyPerAtom: closeTimes(scale.energyPerAtom, 1),
        })),
      );
    }
  });

  it('is shown by the detail answer with the imported values, for the primitive cell', () => {
    for (const { given: material, line, detail } of trips) {
      const [own] = scalesOf(line);
      const provenance = line.provenance;
      const cells = 1 / material.cells;
      expect(detail).toMatchObject({
        struct_id: line.struct_id,
        nsites: material.primitive.sites.length,
        density: expect.closeTo(density(material.primitive), 6),
        band_gap_type: line.band_gap_type ?? '',
        run_type: own?.functional ?? '',
        calculated_at: provenance.calculated_at ?? '',
        vasp_version: provenance.engine_version ?? '',
        potcar_symbols: provenance.potcar_symbols ?? [],
        hubbards: provenance.hubbards ?? {},
        provenance,
      });
      const shown = unplace<'detail', Pick<Scalars, PlacedName<'detail'>>>('detail', detail);
      const said = Object.entries(scalarsOf(line, cells)).filter(([name]) => name in shown);
      expect(shown).toMatchObject(Object.fromEntries(said));
      expect(detail.energies).toMatchObject({
        energy_per_atom: closeTimes(own?.energyPerAtom ?? null, 1),
        energy: closeTimes(own?.energyPerAtom ?? null, atomCount(compositionOf(material.primitive))),
        ...(own?.formationEnergy && { formation_energy_per_atom: own.formationEnergy }),
      });
      expect(new Map(detail.energy_scales.map(({ functional, source }) => [functional, source]))).toEqual(
        new Map(scalesOf(line).map(({ functional, source }) => [functional, source])),
      );
      for (const cell of [
        detail.structures.given,
        detail.structures.primitive,
        detail.structures.conventional,
      ])
        isSameCrystal(cell!, line.structure);
      expect(byFunctional(detail.elec_diagram.densities_of_states)).toEqual(densitiesTimes(line.dos, cells));
      expect(byFunctional(detail.elec_diagram.band_structures)).toMatchObject(
        byFunctional(line.bands).map((bands) => omit(bands, 'reciprocalLattice')),
      );
    }
  });

  it('has its tensors in the frame of the cells shown', () => {
    for (const { given, line, detail } of trips) {
      const rotations = rotationsBetween(given.primitive, fromPymatgenDict(detail.structures.primitive));
      const { dielectric_property, piezo_total_tensor } = detail.epsilon_piezo.epsilon_piezo_data;
      const reciprocals = byFunctional(line.bands).map(({ functional, reciprocalLattice }) => {
        const shown = detail.elec_diagram.band_structures.find((bands) => bands.functional === functional);
        return [shown?.reciprocalLattice, reciprocalLattice] as const;
      });
      expectRotated(
        [
          [detail.elastic_dict.elastic_tensor, line.elastic_tensor],
          [dielectric_property?.epsilon_tensor, line.dielectric?.electronic],
          [dielectric_property?.epsilon_total_tensor, line.dielectric?.total],
          [piezo_total_tensor, line.piezoelectric_total],
        ],
        rotations,
      );
      // Rows are vectors: v′ = R·v for each.
      const isRotated = (found: Mat3 | undefined, expected: Mat3 | undefined): boolean =>
        expected === undefined
          ? found === undefined
          : rotations.some((rotation) =>
              multiply3(expected, transpose3(rotation))
                .flat()
                .every((value, i) => Math.abs(value - (found?.flat()[i] ?? Number.NaN)) < 1e-4),
            );
      expect(reciprocals.filter(([found, expected]) => !isRotated(found, expected))).toEqual([]);
    }
  });

  it('has the same values in every field of its search row', () => {
    /** Fields that neither the line nor the detail answer contains. */
    const others = ({ line }: (typeof trips)[number]): Partial<SearchResult> => ({
      hasBand: line.bands.length > 0,
      hasHse: line.bands.some(({ functional }) => functional.startsWith('HSE')),
      hasEpsilon: line.dielectric !== undefined,
      hasPiezo: line.piezoelectric_total !== undefined,
      hasElastic: line.elastic_tensor !== undefined,
      observed: ((line.provenance.observed as { status?: string } | undefined)?.status ??
        null) as Scalars['observed'],
    });
    for (const trip of trips) {
      const { line, detail, found } = trip;
      const known: Readonly<Record<string, unknown>> = {
        ...unplace<'detail', Pick<Scalars, PlacedName<'detail'>>>('detail', detail),
        ...scalarsOf(line, 1 / trip.given.cells),
        ...others(trip),
      };
      expect(found).toEqual(Object.fromEntries(SEARCH_ROW.map((name) => [name, known[name]])));
      expect(found.formula).toBe(displayFormula(compositionOf(fromPymatgenDict(line.structure))));
      const { formationEnergyPerAtom } = found;
      expect(formationEnergyPerAtom).toBe(scalesOf(line)[0]?.formationEnergy || formationEnergyPerAtom);
    }
  });

  it('the generator covers every field', () => {
    const said = trips.flatMap(({ line }) =>
      placedNames('line').filter((name) => lineValue(line, name) !== null),
    );
    expect(placedNames('line').filter((name) => !said.includes(name))).toEqual([]);
    for (const key of ['elastic_tensor', 'dielectric', 'piezoelectric_total', 'topology'] as const)
      expect(trips.filter(({ line }) => line[key] === undefined).length).toBeGreaterThan(5);
  });
});

describe('two sources of one crystal', () => {
  const FIRST_ID = 2001;
  const GIVEN_NAMES = placedNames('line') as readonly (keyof Given)[];

  /** The value that the table of fields chooses if the structure comes from the first source. */
  function shownOfTwo(name: keyof Given, first: Given, second: Given): unknown {
    const field = fieldOf(name);
    const rule = 'ofSeveral' in field ? field.ofSeveral : 'best';
    if (rule === 'primary') return first[name];
    if (rule === 'any') return first[name] === true || second[name] === true;
    if (typeof rule === 'object') return (first[rule.with as keyof Given] === null ? second : first)[name];
    return first[name] ?? second[name];
  }

  it('are shown and exported as one material with the values of both', async () => {
    const pairs = fc.sample(randomSources, { seed: 2027, numRuns: 24 });
    const lines = pairs.map((pair, i) =>
      pair.map(({ line }, j) => ({
        ...line,
        source: { ...line.source, name: `source ${j}` },
        ...(j === 0 ? { struct_id: FIRST_ID + i } : {}),
      })),
    );
    for (const j of [0, 1])
      await mergeMaterials(
        test.database,
        lines.map((pair) => pair[j]!),
      );
    const exported = new Map<number, ImportLine>();
    const stored = new Map<number, StoredMaterial>();
    for await (const row of exportRows(test.database)) {
      stored.set(row.structId, row);
      exported.set(row.structId, importLine.parse(JSON.parse(JSON.stringify(toImportLine(row)))));
    }
    const onlySecond = new Set<string>();
    for (const [i, [first, second]] of pairs.entries()) {
      const struct_id = FIRST_ID + i;
      const detail = materialDetail.parse(await answer('get_struct_detail', { struct_id }));
      expect(detail.records).toHaveLength(2);
      const [a, b] = [first, second].map(({ cells }, j) =>
        scaledToCell(unplace<'line', Given>('line', importLine.parse(lines[i]![j])), 1 / cells),
      ) as [Given, Given];
      const line = exported.get(struct_id)!;
      const wanted = Object.fromEntries(
        GIVEN_NAMES.map((name) => {
          const value = shownOfTwo(name, a, b);
          return [name, typeof value === 'number' ? close(value) : value];
        }),
      );
      const cells = detail.nsites / siteCount(line);
      expect(scaledToCell(unplace<'line', Given>('line', line), cells)).toEqual(wanted);
      const shown = unplace<'detail', Pick<Scalars, PlacedName<'detail'>>>('detail', detail);
      expect(shown).toMatchObject(
        Object.fromEntries(Object.entries(wanted).filter(([name]) => name in shown)),
      );
      const sourceOf = (name: (typeof GIVEN_NUMBERS)[number]): string | undefined => {
        const { sourceSection, column } = fields[name];
        const isOf = (of: string): boolean => of === column || of === 'listed' || of === '';
        return detail.sources.find(({ section, of }) => section === sourceSection && isOf(of))?.statement;
      };
      const known = GIVEN_NUMBERS.filter((name) => (a[name] ?? b[name]) !== null);
      expect(known.map((name) => [name, sourceOf(name)?.slice(0, 8)])).toEqual(
        known.map((name) => [name, a[name] === null ? 'source 1' : 'source 0']),
      );
      for (const name of GIVEN_NAMES) if (a[name] === null && b[name] !== null) onlySecond.add(name);
      const isSaid = (key: 'elastic_tensor' | 'dielectric' | 'piezoelectric_total' | 'topology'): boolean =>
        lines[i]!.some((given) => given[key] !== undefined);
      for (const key of ['elastic_tensor', 'dielectric', 'piezoelectric_total', 'topology'] as const)
        expect([key, line[key] !== undefined]).toEqual([key, isSaid(key)]);
      const { bulkModulus, shearModulus, dielectricElectronic } = stored.get(struct_id)!;
      expect([bulkModulus, shearModulus].map((value) => value !== null)).toEqual(
        Array(2).fill(isSaid('elastic_tensor')),
      );
      expect(dielectricElectronic !== null).toBe(isSaid('dielectric'));
    }
    const nullable = GIVEN_NAMES.filter((name) => fieldOf(name).isNullable && name !== 'sourceUrl');
    expect(nullable.filter((name) => !onlySecond.has(name))).toEqual([]);
  });
});

describe('wurtzite ZnO with c along z, and the same crystal with its axes permuted to c along x', () => {
  /** Stiffness in GPa of the form for 6 mm crystals, with different numbers for each axis. */
  const alongZ = [
    [210, 120, 105, 0, 0, 0],
    [120, 210, 105, 0, 0, 0],
    [105, 105, 400, 0, 0, 0],
    [0, 0, 0, 42, 0, 0],
    [0, 0, 0, 0, 42, 0],
    [0, 0, 0, 0, 0, 45],
  ];
  const alongX = [
    [400, 105, 105, 0, 0, 0],
    [105, 210, 120, 0, 0, 0],
    [105, 120, 210, 0, 0, 0],
    [0, 0, 0, 45, 0, 0],
    [0, 0, 0, 0, 42, 0],
    [0, 0, 0, 0, 0, 42],
  ];
  const height = (3.25 * Math.sqrt(3)) / 2;
  const matrixZ = [
    [3.25, 0, 0],
    [-1.625, height, 0],
    [0, 0, 5.2],
  ];
  // x, y, z become y, z, x.
  const matrixX = matrixZ.map(([x, y, z]) => [z, x, y]);
  const sites = [
    ['Zn', 1 / 3, 2 / 3, 0],
    ['Zn', 2 / 3, 1 / 3, 0.5],
    ['O', 1 / 3, 2 / 3, 0.382],
    ['O', 2 / 3, 1 / 3, 0.882],
  ].map(([element, ...abc]) => ({ species: [{ element, occu: 1 }], abc }));
  const line = (struct_id: number, matrix: unknown, elastic_tensor: unknown, epsilon: readonly number[]) => ({
    struct_id,
    structure: { lattice: { matrix }, sites },
    elastic_tensor,
    dielectric: { electronic: epsilon.map((value, i) => epsilon.map((_, j) => (i === j ? value : 0))) },
    source: { name: 'wurtzite', id: String(struct_id) },
  });

  it('both orientations give the same stiffness and permittivity, with c along z', async () => {
    await storeMaterials(test.database, [
      line(901, matrixZ, alongZ, [5.1, 5.1, 6.2]),
      line(902, matrixX, alongX, [6.2, 5.1, 5.1]),
    ]);
    for (const struct_id of [901, 902]) {
      const { structures, elastic_dict, epsilon_piezo } = materialDetail.parse(
        await answer('get_struct_detail', { struct_id }),
      );
      expect(structures.conventional.lattice.matrix[2]).toEqual([0, 0, expect.closeTo(5.2, 6)]);
      expect(elastic_dict.elastic_tensor).toEqual(
        alongZ.map((row) => row.map((value) => expect.closeTo(value, 6))),
      );
      expect(epsilon_piezo.epsilon_piezo_data.dielectric_property?.epsilon_tensor).toEqual([
        [expect.closeTo(5.1, 6), expect.closeTo(0, 6), expect.closeTo(0, 6)],
        [expect.closeTo(0, 6), expect.closeTo(5.1, 6), expect.closeTo(0, 6)],
        [expect.closeTo(0, 6), expect.closeTo(0, 6), expect.closeTo(6.2, 6)],
      ]);
    }
  });
});
