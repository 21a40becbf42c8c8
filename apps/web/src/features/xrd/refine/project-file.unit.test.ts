import { examples } from '@unitcell/contract/examples';
import { refineResult } from '@unitcell/contract/xrd';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { type Project, readProject, writeProject } from './project-file.ts';
import { DEFAULT_REFINE_SETTINGS, phaseOfCif, phaseOfMaterial } from './refine-view-model.ts';

const project: Project = {
  fileName: 'scan.xrdml',
  warnings: ['2 scans in the file.'],
  record: {
    format: 'PANalytical XRDML',
    axis: '2Theta',
    step: 0.02,
    k_alpha1: 1.540598,
    is_slit_variable: false,
  },
  data: { x: [10, 10.02, 10.04], y: [1, 25, 3], name: 'pristine', background_removed: false },
  radiation: 'CuKα',
  phases: [phaseOfMaterial(138, 'SiO2', 'P3_121', -0.006), phaseOfCif('mine.cif', 'data_x')],
  settings: { ...DEFAULT_REFINE_SETTINGS, excluded: '20-22', instrument: 'own' },
  ownInstrument: { u: 0.002, v: -0.001, w: 0.004, x: 0.02, y: 0.03, axial: [0.02, 0.02] },
  result: refineResult.parse(examples.xrdRefine?.response),
};
const isProject = (read: ReturnType<typeof readProject>): read is Project => !('kind' in read);

describe('the file of a refinement', () => {
  it('is read as it was written, with every field', () => {
    expect(readProject(writeProject(project))).toEqual(project);
    const empty = { ...project, record: null, phases: [], ownInstrument: null, result: null };
    expect(readProject(`\uFEFF${writeProject(empty)}`)).toEqual(empty);
  });

  it.each(['', 'null', '[]', '{}', '{"format":"other","version":1}', '2theta,counts\n10,25', '{"format":'])(
    '%j is foreign',
    (content) => {
      expect(readProject(content)).toEqual({ kind: 'foreign' });
    },
  );

  it('of a later version says its version', () => {
    const later = writeProject(project).replace('"version":1', '"version":7');
    expect(readProject(later)).toEqual({ kind: 'version', version: 7 });
  });

  it.each<[string, object]>([
    ['data.y', { data: { ...project.data, y: [1, 2] } }],
    ['data.x', { data: { ...project.data, x: [10, 10, 11] } }],
    ['settings.excluded', { settings: { ...project.settings, excluded: 'all' } }],
    ['phases.0.strain', { phases: [{ ...project.phases[0], strain: '0' }] }],
    [
      'result.phases.0.d',
      { result: { ...project.result, phases: [{ ...project.result?.phases[0], d: [] }] } },
    ],
    ['result.calculated', { result: { ...project.result, calculated: [1] } }],
  ])('with a wrong %s names that field', (field, change) => {
    expect(readProject(JSON.stringify({ ...JSON.parse(writeProject(project)), ...change }))).toEqual({
      kind: 'field',
      field,
    });
  });

  it('is read or refused, and never throws, when any of its values is replaced', () => {
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
