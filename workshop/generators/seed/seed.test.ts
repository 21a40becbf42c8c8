import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSeed } from './build-seed.ts';
import { type Compound, parseCompounds, parseCsv, parseSites } from './compound.ts';
import { stiffnessMatrix, symmetricMatrix } from './properties.ts';
import { readTables, SEED_DIRECTORY } from './seed-files.ts';

const tables = readTables();
const count = (test: (properties: ReturnType<typeof tables.properties.get> & {}) => boolean): number =>
  [...tables.properties.values()].filter(test).length;

describe('the shipped seed data', () => {
  it('are byte for byte what the tables generate, and every row passes its checks', () => {
    const text = readFileSync(join(SEED_DIRECTORY, 'generated', 'materials.jsonl'), 'utf8');
    expect(`${buildSeed(tables).join('\n')}\n` === text).toBe(true);
  });

  it('contain everything that a fresh installation promises', () => {
    expect(tables.compounds.length).toBeGreaterThanOrEqual(400);
    expect(count((p) => p.elasticTensor !== undefined)).toBeGreaterThanOrEqual(30);
    expect(count((p) => p.dielectric !== undefined)).toBeGreaterThanOrEqual(20);
    expect(count((p) => p.piezoelectric !== undefined)).toBeGreaterThanOrEqual(10);
    expect(count((p) => p.topology !== undefined)).toBeGreaterThanOrEqual(20);
    expect(tables.electronic.size).toBeGreaterThanOrEqual(30);
  });

  it('name every compound in both languages and cite a source for every value', () => {
    const isUnnamed = ({ nameZh, nameEn }: Compound) =>
      !/\p{Script=Han}/u.test(nameZh) || nameEn === '' || /\p{Script=Han}/u.test(nameEn);
    const isUncited = (compound: Compound) =>
      compound.structureSource === '' ||
      (compound.formationEnergyPbe !== undefined && compound.formationEnergyPbeNote === '') ||
      (compound.formationEnthalpy298 !== undefined && compound.formationEnthalpy298Source === '') ||
      (compound.gapExperiment !== undefined && compound.gapExperimentSource === '');
    expect(tables.compounds.filter(isUnnamed)).toEqual([]);
    expect(tables.compounds.filter(isUncited)).toEqual([]);
    const uncited = [...tables.properties.values()].filter(
      ({ elasticTensor, dielectric, piezoelectric, topology }) =>
        [elasticTensor, dielectric, piezoelectric, topology].some((property) => property?.source === ''),
    );
    expect(uncited).toEqual([]);
  });

  it('describe the known failures of a scale consistently with the energies', () => {
    const compounds = new Map(tables.compounds.map((compound) => [compound.structId, compound]));
    for (const { structId, formula, rivals, functional } of tables.scaleFailures) {
      const phase = compounds.get(structId)!;
      expect([phase.formula, phase.known, functional]).toEqual([formula, 'stable', 'PBE (MP 2018)']);
      for (const id of rivals) {
        const rival = compounds.get(id)!;
        expect([id, rival.formula]).toEqual([id, formula]);
        expect(rival.known).not.toBe('stable');
        // On the scale the rival phase is lower; in experiment, if measured, it is higher.
        expect(rival.formationEnergyPbe!).toBeLessThan(phase.formationEnergyPbe!);
        const measured = rival.formationEnthalpy298 ?? Number.POSITIVE_INFINITY;
        expect(measured).toBeGreaterThan(phase.formationEnthalpy298!);
      }
    }
    expect(tables.scaleFailures.map(({ formula }) => formula).sort()).toEqual([
      'CoO',
      'CsCl',
      'FeS',
      'FeS2',
      'MnO2',
      'SiO2',
      'TiO2',
    ]);
  });

  it('state for every row which values were not looked up in a source, and use only known words for its synthesis', () => {
    const figures =
      /^(yes|no: (cell|structure|positions|density|gap_expt|dhf_298)(, (cell|structure|positions|density|gap_expt|dhf_298))*)$/;
    const silent = tables.compounds.filter(
      ({ citationChecked, observed, observedBy }) =>
        !figures.test(citationChecked) || (observed === '') !== (observedBy === ''),
    );
    expect(silent.map(({ structId }) => structId)).toEqual([]);
    const ofProperties = [...tables.properties.values()].flatMap(
      ({ elasticTensor, dielectric, piezoelectric, topology }) =>
        [elasticTensor, dielectric, piezoelectric, topology].flatMap((found) => found?.citationChecked ?? []),
    );
    expect([...new Set(ofProperties)].sort()).toEqual(['no', 'yes']);
    const named = tables.compounds.filter(({ nameEn }) => /\(.*computed( phase| polymorph)?\)$/.test(nameEn));
    expect(named.length).toBeGreaterThan(25);
    expect(
      named.filter(({ observed }) => observed !== 'computed only').map(({ formula }) => formula),
    ).toEqual([]);
  });

  it('have only stiffness tensors of mechanically stable crystals', () => {
    const isStable = (c: readonly (readonly number[])[]) =>
      c.every((row, i) =>
        // Born: every 1×1 and 2×2 principal minor is positive
        row.every((value, j) => value === c[j][i] && (i === j ? value > 0 : c[i][i] * c[j][j] > value ** 2)),
      );
    const unstable = [...tables.properties.values()].filter(
      ({ elasticTensor }) => elasticTensor !== undefined && !isStable(elasticTensor.value),
    );
    expect(unstable.map(({ formula }) => formula)).toEqual([]);
  });
});

describe('rows that must stop the build', () => {
  const rutile = tables.compounds.find((c) => c.nameEn.includes('rutile') && c.formula === 'TiO2')!;
  const build = (change: Partial<Compound>) => () =>
    buildSeed({
      compounds: [{ ...rutile, ...change }],
      properties: new Map(),
      electronic: new Map(),
      ownEnergies: new Map(),
      scaleFailures: [],
    });

  it('are reported with the compound and the reason', () => {
    expect(build({})).not.toThrow();
    expect(build({ formula: 'Ti2O3' })).toThrow(
      /Seed compound \d+, Ti2O3 .*the cell holds TiO2, but the row says Ti2O3/,
    );
    expect(build({ density: 5 })).toThrow(/% off the stated 5/);
    expect(build({ sites: parseSites('Ti 2a 0 0 0; O 4f 0.1 0.1 0'), density: rutile.density })).toThrow(
      /too close/,
    );
    expect(build({ sites: parseSites('Ti 2a 0 0 0; O 4f 0.3 0.33 0') })).toThrow(/stated to hold 4/);
    expect(build({ cell: { ...rutile.cell, b: rutile.cell.b + 0.05 } })).toThrow(
      /the row says 136 P4_2\/mnm/,
    );
  });

  it('include properties of another compound', () => {
    const strayed = new Map([[rutile.structId, { formula: 'SiO2' }]]);
    expect(() =>
      buildSeed({
        compounds: [rutile],
        properties: strayed,
        electronic: new Map(),
        ownEnergies: new Map(),
        scaleFailures: [],
      }),
    ).toThrow(/is SiO2, but compounds.csv says TiO2/);
  });

  it('include rows that cannot be parsed', () => {
    const header =
      'struct_id,formula,name_en,name_zh,sg,sg_symbol,a,b,c,alpha,beta,gamma,sites,structure_source,density,density_source';
    const row = (id: string, sites: string) =>
      `${id},Cu,copper,铜,225,Fm-3m,3.6,3.6,3.6,90,90,90,${sites},x,8.9,y`;
    expect(() => parseCompounds(`${header}\n${row('1', 'Cu 4a 0 0')}`)).toThrow(
      /struct_id 1 \(Cu\): "Cu 4a 0 0" is not a site/,
    );
    expect(() => parseCompounds(`${header}\n${row('1', 'Cu 4a 0 0 zero')}`)).toThrow(
      /"zero" is not a coordinate/,
    );
    expect(() => parseCompounds(`${header}\n${row('1', 'Cu 4a 0 0 0')}\n${row('1', 'Cu 4a 0 0 0')}`)).toThrow(
      /unique/,
    );
    expect(() => parseCompounds(`${header}\n1,Cu`)).toThrow(/columns length is 16, got 2/);
  });
});

describe('helper functions', () => {
  it('parseCsv reads quoted fields', () => {
    expect(parseCsv('# note\na,b\n"x, ""y""", z ')).toEqual([{ a: 'x, "y"', b: 'z' }]);
    expect(() => parseCsv('a,b\n"x,1')).toThrow(/Quote Not Closed/);
  });

  it('stiffnessMatrix completes matrices by Laue class', () => {
    const silicon = stiffnessMatrix('cubic', 'C11=165.7 C12=63.9 C44=79.6');
    expect(silicon[2]).toEqual([63.9, 63.9, 165.7, 0, 0, 0]);
    expect(silicon[5][5]).toBe(79.6);
    const quartz = stiffnessMatrix('trigonal', 'C11=86.8 C12=7.04 C13=11.91 C14=-18.04 C33=105.75 C44=58.2');
    expect(quartz[1][3]).toBe(18.04);
    expect(quartz[4][5]).toBe(-18.04);
    expect(quartz[5][5]).toBeCloseTo((86.8 - 7.04) / 2, 10);
    expect(() => stiffnessMatrix('cubic', 'C11 165.7')).toThrow(/not an elastic constant/);
    expect(() => stiffnessMatrix('round', 'C11=1')).toThrow(/not a Laue class/);
  });

  it('symmetricMatrix reads tensors in the order xx yy zz yz xz xy', () => {
    expect(symmetricMatrix('1 2 3 4 5 6')).toEqual([
      [1, 6, 5],
      [6, 2, 4],
      [5, 4, 3],
    ]);
    expect(() => symmetricMatrix('1 2 3')).toThrow(/should be 6 numbers/);
  });
});
