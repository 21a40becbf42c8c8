import { examples } from '@unitcell/contract/examples';
import { refineResult } from '@unitcell/contract/xrd';
import { readCif } from '@unitcell/crystal';
import { readMeasuredPattern } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { type Project, readProject, writeProject } from './project-file.ts';
import { translate } from '../../../i18n/texts.ts';
import { DEFAULT_REFINE_SETTINGS, percentWithEsd, phaseOfCif, phaseOfMaterial } from './refine-view-model.ts';
import { methodWorks, refinedCif, reportHtml, reportTexts } from './report.ts';

const project: Project = {
  fileName: 'scan.xrdml',
  warnings: ['2 scans in the file.'],
  record: {
    format: 'PANalytical XRDML',
    axis: '2Theta',
    step: 0.02,
    k_alpha1: 1.540598,
    wavelengths: [{ wavelength: 1.540598, weight: 1 }],
    is_slit_variable: false,
  },
  data: { x: [10, 10.02, 10.04], y: [1, 25, 3], name: 'pristine', background_removed: false },
  sigmas: [1, 5, 1.7],
  radiation: 'CuKα',
  phases: [phaseOfMaterial(138, 'SiO2', 'P3_121', -0.006), phaseOfCif('mine.cif', 'data_x')],
  settings: { ...DEFAULT_REFINE_SETTINGS, excluded: '20-22', instrument: 'own' },
  ownInstrument: { u: 0.002, v: -0.001, w: 0.004, x: 0.02, y: 0.03, axial: [0.02, 0.02] },
  result: refineResult.parse(examples.xrdRefine?.response),
};
const isProject = (read: ReturnType<typeof readProject>): read is Project => !('kind' in read);

describe('the project file of a refinement', () => {
  it('is unchanged after writing and reading, in every field', () => {
    expect(readProject(writeProject(project))).toEqual(project);
    const empty = { ...project, record: null, phases: [], ownInstrument: null, result: null };
    expect(readProject(`\uFEFF${writeProject(empty)}`)).toEqual(empty);
  });

  it.each([
    ['CuKa', [1, 0.5]],
    ['CuKa1', [1]],
  ])(
    'without the wavelengths of %s, as older files are, has those of the measured file',
    (radiation, weights) => {
      const measured = { ...project.record, radiation, k_alpha2: 1.544426, k_alpha_ratio: 0.5 };
      const read = readProject(
        JSON.stringify({
          ...JSON.parse(writeProject(project)),
          record: { ...measured, wavelengths: undefined },
        }),
      );
      const lines = weights.map((weight, i) => ({ wavelength: [1.540598, 1.544426][i], weight }));
      expect(read).toEqual({ ...project, record: { ...measured, wavelengths: lines } });
    },
  );

  it.each(['', 'null', '[]', '{}', '{"format":"other","version":1}', '2theta,counts\n10,25', '{"format":'])(
    '%j is foreign',
    (content) => {
      expect(readProject(content)).toEqual({ kind: 'foreign' });
    },
  );

  it('reports its version if a later release wrote it', () => {
    const later = writeProject(project).replace('"version":1', '"version":7');
    expect(readProject(later)).toEqual({ kind: 'version', version: 7 });
  });

  it.each<[string, object]>([
    ['data.y', { data: { ...project.data, y: [1, 2] } }],
    ['sigmas', { sigmas: [1, 2] }],
    ['sigmas.1', { sigmas: [1, 0, 2] }],
    ['data.x', { data: { ...project.data, x: [10, 10, 11] } }],
    ['settings.excluded', { settings: { ...project.settings, excluded: 'all' } }],
    ['phases.0.strain', { phases: [{ ...project.phases[0], strain: '0' }] }],
    [
      'result.phases.0.d',
      { result: { ...project.result, phases: [{ ...project.result?.phases[0], d: [] }] } },
    ],
    ['result.calculated', { result: { ...project.result, calculated: [1] } }],
  ])('is refused with the name of the field if %s is wrong', (field, change) => {
    expect(readProject(JSON.stringify({ ...JSON.parse(writeProject(project)), ...change }))).toEqual({
      kind: 'field',
      field,
    });
  });

  it('is accepted or refused, and never throws, if any of its values is replaced', () => {
    const random = seededRandom(20);
    const strange = [null, true, -1, 1e308, '', 'x', '__proto__', [], {}, [[]], { value: Number.NaN }];
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const base = writeProject(project);
    let refused = 0;
    for (let round = 0; round < 1500; round++) {
      const content = JSON.parse(base) as Record<string, unknown>;
      let place: Record<string, unknown> | unknown[] = content;
      let key = pick(Object.keys(content));
      for (let next = content[key]; typeof next === 'object' && next !== null && random() < 0.85; ) {
        const keys = Object.keys(next);
        if (keys.length === 0) break;
        place = next as Record<string, unknown>;
        key = pick(keys);
        next = Reflect.get(place, key);
      }
      if (random() < 0.2) Reflect.deleteProperty(place, key);
      else Reflect.set(place, key, pick(strange));
      const read = readProject(JSON.stringify(content));
      if (!isProject(read)) refused += 1;
      expect(isProject(read) ? readProject(writeProject(read)) : read).toEqual(read);
    }
    expect(refused).toBeGreaterThan(700);
    for (let round = 0; round < 300; round++) {
      const at = Math.floor(random() * base.length);
      const cut = `${base.slice(0, at)}${pick(['', '"', '}', '0', '\u0000'])}${base.slice(at + Math.floor(random() * 9))}`;
      expect(readProject(cut)).toBeTypeOf('object');
    }
  });
});

describe('the files of a report', () => {
  const { result } = project;
  if (!result) throw new Error('the example has no result');
  const cif =
    "data_SiO2-138-conventional\n_unitcell_source 'somebody''s cell'\n_unitcell_licence 'CC BY 4.0'\n_cell_length_a 4.9\n_cell_length_b 4.9\n_cell_length_c 5.4\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120\nloop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi1 Si 0.47 0 0.33\n";
  const report = {
    file: 'a <b>.xrdml',
    record: project.record,
    radiation: 'CuKα',
    result,
    cifs: result.phases.map(() => cif),
    date: '2026-11-27',
  };

  it('a CIF contains the refined cells, and the measured profile can be read from it', () => {
    const text = refinedCif(report);
    const { structures } = readCif(text);
    structures.forEach(({ structure }, p) => {
      const a = Math.hypot(...structure.latticeVectors[0]);
      expect(Math.abs(a - (result.phases[p]?.cell.a.value ?? 0))).toBeLessThan(2e-4);
    });
    expect(structures).toHaveLength(result.phases.length);
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).toContain(`_pd_proc_ls_prof_wR_factor ${result.r_wp.toFixed(4)}`);
    const rows = text.slice(text.indexOf('_pd_proc_ls_weight')).trim().split('\n').slice(1);
    expect(rows).toHaveLength(result.two_theta.length);
    expect(Number(rows[0]?.split(' ')[1])).toBeCloseTo(result.measured[0] ?? 0, 2);
  });

  it('a CIF replaces the block id and the density of an uploaded structure by those of the refined phase', () => {
    const [phase] = result.phases;
    const foreign = cif
      .replace('\n', "\n_pd_block_id\t'another'\n_exptl_crystal_density_diffrn  9.999(1)\n")
      .replace('_cell_length_a', '  _Cell_Length_A');
    const text = refinedCif({ ...report, cifs: [foreign] });
    const name = /_pd_phase_mass_%\n(\S+) /.exec(text)?.[1];
    expect(text.match(/^\s*_pd_block_id.*$/gm)).toEqual([
      `_pd_block_id ${name}`,
      "_pd_block_id 'a__b_.xrdml'",
    ]);
    expect(text.match(/^_exptl_crystal_density_diffrn.*$/gm)).toEqual([
      `_exptl_crystal_density_diffrn ${phase?.density.toFixed(3)}`,
    ]);
    const { structures } = readCif(text);
    const a = Math.hypot(...(structures[0]?.structure.latticeVectors[0] ?? []));
    expect(Math.abs(a - (phase?.cell.a.value ?? 0))).toBeLessThan(2e-4);
  });

  it.each([
    ['of counts', undefined, [], '0.04'],
    ['of a file with standard deviations', Array.from({ length: 40 }, () => 2), [], '0.25'],
    [
      'whose standard deviations only the server knows',
      undefined,
      [{ code: 'not-counts', message: '' }],
      '.',
    ],
  ])('a CIF %s states the weights of the fit, and 0 for excluded points', (_, sigmas, notices, weight) => {
    const angles = Array.from({ length: 40 }, (__, i) => 10 + i);
    const curve = angles.map((angle) => (angle === 20 ? 100 : 25));
    const measured = { two_theta: angles, measured: curve, calculated: curve, background: curve };
    const text = refinedCif({
      ...report,
      sigmas,
      result: {
        ...result,
        ...measured,
        notices,
        excluded: [
          [12, 14],
          [49, 49],
        ],
      },
    });
    expect(text).toMatch(new RegExp(`^11 25 25 25 ${weight.replace('.', '\\.')}$`, 'm'));
    expect(text.match(/^\d+ 25 25 25 0$/gm)?.map((line) => line.slice(0, 2))).toEqual([
      '12',
      '13',
      '14',
      '49',
    ]);
    const { x, record } = readMeasuredPattern(new TextEncoder().encode(text));
    expect(record?.wavelengths).toEqual(result.wavelengths);
    expect(Array.from(x)).toEqual(angles.filter((angle) => (angle < 12 || angle > 14) && angle !== 49));
  });

  it('a CIF says that it was measured with neutrons', () => {
    const angles = Array.from({ length: 40 }, (_, i) => 10 + i);
    const lists = { two_theta: angles, measured: angles, calculated: angles, background: angles };
    const wavelengths = [{ wavelength: 1.594, weight: 1 }];
    const text = refinedCif({
      ...report,
      radiation: 'neutrons 1.594',
      result: { ...result, ...lists, wavelengths },
    });
    const { record } = readMeasuredPattern(new TextEncoder().encode(text));
    expect(record?.radiation).toBe('neutrons 1.594');
  });

  it('a report names the sources of structures and method, and escapes text from files', () => {
    const html = reportHtml(report, translate(reportTexts), 'Good fit', '<svg></svg>', 'en');
    expect(html).toContain('a &lt;b&gt;.xrdml');
    expect(html).not.toContain('<b>');
    expect(html).toContain('CC BY 4.0');
    const [phase] = result.phases;
    expect(html).toContain(
      `<td>${phase?.space_group}</td><td>${percentWithEsd(phase!.weight_fraction!)}</td>`,
    );
    for (const work of methodWorks(result)) expect(html).toContain(work);
    expect(methodWorks({ ...result, method: 'le-bail' })[0]).toMatch(/Le Bail/);
  });
});
