import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StoredDetail } from '../stored-detail.ts';
import { addressOf, kindsOf, worksOf } from '../../../domain/read-statement.ts';
import { sectionSources } from './section-sources.ts';

describe("a source's statement", () => {
  it.each([
    ['measured near 300 K, Bateman, J. Appl. Phys. 33, 3309 (1962)', ['measured']],
    ['computed, DFPT-PBE, Petousis et al., Sci. Data 4, 160134 (2017), mp-2251', ['calculated']],
    ['cell: literature, room temperature; positions: mp-113 (DFT)', ['measured', 'calculated']],
    ['predicted by a machine-learned interatomic potential', ['predicted']],
    ['0 by definition; the entry mp-10018 is listed 0.033 eV/atom above', ['defined']],
    ['Sato et al., Phys. Rev. Lett. 105, 136802 (2010)', []],
    ['measured near 300 K, as commonly quoted; the measurement was not looked up', []],
  ])('%s: %o', (sentence, kinds) => {
    expect(kindsOf(sentence)).toEqual(kinds);
  });

  it.each([
    [
      'measured near 300 K, Grimsditch & Ramdas, Phys. Rev. B 11, 3139 (1975)',
      [['Grimsditch & Ramdas, Phys. Rev. B 11, 3139 (1975)', 'https://doi.org/10.1103/PhysRevB.11.3139']],
    ],
    [
      'measured, handbook values (Young & Frederikse, J. Phys. Chem. Ref. Data 2, 313 (1973); Palik, Handbook)',
      [['Young & Frederikse, J. Phys. Chem. Ref. Data 2, 313 (1973)', 'https://doi.org/10.1063/1.3253121']],
    ],
    [
      'cell: COD 9002044 (Redfern et al., Am. Mineral. 84, 299 (1999)); positions: mp-3536 (DFT)',
      [
        [
          'Redfern et al., Am. Mineral. 84, 299 (1999), from Crystallography Open Database 9002044',
          'https://www.crystallography.net/cod/9002044.html',
        ],
        ['Materials Project mp-3536', 'https://materialsproject.org/materials/mp-3536'],
      ],
    ],
    [
      'cell: Kraft et al., doi:10.1021/jacs.7b06327; z kept',
      [['Kraft et al., doi:10.1021/jacs.7b06327', 'https://doi.org/10.1021/jacs.7b06327']],
    ],
    ['commonly quoted, not looked up', []],
    // The DOI ending in 0944-6 is another article: Zhang et al., page 475 of the same volume.
    [
      'Tang et al., Nature 566, 486 (2019)',
      [['Tang et al., Nature 566, 486 (2019)', 'https://doi.org/10.1038/s41586-019-0937-5']],
    ],
    [
      'computed, IEEE axes as published, de Jong et al., Sci. Data 2, 150053 (2015)',
      [['de Jong et al., Sci. Data 2, 150053 (2015)', 'https://doi.org/10.1038/sdata.2015.53']],
    ],
  ])('%s: cited works', (sentence, works) => {
    expect(worksOf(sentence).map(({ text, url }) => [text, url])).toEqual(works);
  });

  it('gets a DOI address only if the citation determines the DOI', () => {
    expect(addressOf('Weng et al., Phys. Rev. X 5, 011029 (2015)')).toBe(
      'https://doi.org/10.1103/PhysRevX.5.011029',
    );
    expect(addressOf('Silvera, Rev. Mod. Phys. 52, 393 (1980)')).toBe(
      'https://doi.org/10.1103/RevModPhys.52.393',
    );
    expect(addressOf('Polian et al., J. Appl. Phys. 79, 3343 (1996)')).toBeNull();
  });
});

interface Line {
  struct_id: number;
  source: { name: string; id: string; licence: string; url?: string };
  functional: string;
  formation_energy_per_atom?: number;
  band_gap?: number;
  energies?: { functional: string; [key: string]: unknown }[];
  provenance: Record<string, unknown>;
  [field: string]: unknown;
}

/** A line of the seed data in stored form. */
function stored(line: Line): StoredDetail {
  const scale = (energy: { functional: string; [key: string]: unknown }) => ({
    functional: energy.functional,
    energyPerAtom: energy.energy ?? null,
    formationEnergyPerAtom: energy.formation_energy_per_atom ?? null,
    source: energy.source ?? {},
  });
  return {
    provenance: line.provenance,
    sourceName: line.source.name,
    sourceId: line.source.id,
    sourceLicence: line.source.licence,
    sourceUrl: line.source.url ?? null,
    functional: line.functional,
    bandGap: line.band_gap ?? null,
    symprec: 0.1,
    energies: [
      scale({ functional: line.functional, formation_energy_per_atom: line.formation_energy_per_atom }),
      ...(line.energies ?? []).map(scale),
    ],
    bands: line.bands ?? [],
    phononFunctionals: [],
    tensors: {
      frame: 'given',
      elastic: line.elastic_tensor ?? null,
      dielectric: line.dielectric ?? null,
      piezoelectric: line.piezoelectric_total ?? null,
    },
    topology: line.topology ?? null,
  } as unknown as StoredDetail;
}

describe('the sources of the seed data', () => {
  const lines: Line[] = readFileSync('seed-data/generated/materials.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const all = lines.map((line) => ({ line, sources: sectionSources(stored(line)) }));
  const of = (section: string) =>
    all.flatMap(({ sources }) => sources.filter((source) => source.section === section));

  it('never call a measured tensor calculated or a calculated one measured', () => {
    expect(of('elastic').length).toBeGreaterThan(60);
    for (const { kinds, statement } of of('elastic'))
      expect(kinds).toEqual(statement.includes('not looked up') ? [] : ['measured']);
    for (const source of of('piezoelectric')) expect(source.kinds).toEqual(['calculated']);
    for (const { kinds, statement } of of('dielectric'))
      expect(kinds).toEqual([statement.startsWith('measured') ? 'measured' : 'calculated']);
  });

  it('call enthalpies measured or defined, and PBE energies calculated or defined', () => {
    const kinds = (scale: string) =>
      new Set(
        of('energy')
          .filter((source) => source.of.startsWith(scale))
          .map((source) => source.kinds.join()),
      );
    expect(kinds('experiment')).toEqual(new Set(['measured', 'defined']));
    expect(kinds('PBE')).toEqual(new Set(['calculated', 'defined']));
  });

  it('state a kind for every structure, gap, band structure and energy that was looked up, and for no other', () => {
    for (const section of ['structure', 'band_gap', 'bands', 'energy'])
      for (const { kinds, statement } of of(section))
        expect([statement, kinds.length === 0]).toEqual([statement, statement.includes('not looked up')]);
    expect(of('band_gap').filter(({ kinds }) => kinds.length === 0)).toHaveLength(47);
  });

  it('give strontium titanate its measured constants and its own bands with their settings', () => {
    const { sources } = all.find(({ line }) => line.struct_id === 174)!;
    const bands = sources.find(({ section }) => section === 'bands')!;
    expect(Object.fromEntries(bands.method.map(({ key, value }) => [key, value]))).toMatchObject({
      code: 'ABINIT 9.6.2',
      functional: 'PBE',
      cutoff: '598.7 eV',
      k_mesh: expect.stringMatching(/^\d+ × \d+ × \d+$/),
    });
    const elastic = sources.find(({ section }) => section === 'elastic')!;
    expect(elastic).toMatchObject({ kinds: ['measured'], citation_checked: false });
    expect(elastic.method).toContainEqual({ key: 'temperature', value: 'near 300 K' });
  });

  it('state the program of a run for the parts it calculated, and not for measured parts', () => {
    const sources = sectionSources(
      stored({
        struct_id: 1,
        functional: 'PBE (ABINIT, gpaw-data, 22 Ha)',
        formation_energy_per_atom: -1,
        band_gap: 1,
        source: { name: 'Run4U', id: 'run4u-1', licence: '' },
        provenance: { engine_version: 'ABINIT 9.6.2', functional: 'PBE' },
        energies: [{ functional: 'experiment-298K', formation_energy_per_atom: -1.1 }],
      }),
    );
    const kindsOfPart = (section: string) =>
      sources.filter((source) => source.section === section).map(({ kinds }) => kinds);
    expect(kindsOfPart('structure')).toEqual([['calculated']]);
    expect(kindsOfPart('energy')).toEqual([['calculated'], ['measured']]);
    const measured = sources.find(({ of: scale }) => scale === 'experiment-298K')!;
    expect(measured.method.some(({ key }) => key === 'code')).toBe(false);
  });
});
