import type { CalculationService, SubmissionRow } from '@unitcell/contract/run4u';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import {
  engineText,
  estimateText,
  materialHref,
  progressText,
  structureOf,
  submitNotice,
  type T,
  takeEvents,
} from './view-model.ts';
import { fieldsOf } from './components/upload-panel.tsx';
import { birchMurnaghanEnergy } from './predicted-figures.ts';

const t = ((key: string, values: Record<string, unknown> = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as T;

const row = (fields: Partial<SubmissionRow>): SubmissionRow => ({
  index: 1,
  id: 7,
  formula: 'Si',
  spacegroup: 'Fd-3m',
  nsites: 2,
  status: 'queued',
  struct_id: null,
  submit_time: '2026-01-01T00:00:00.000Z',
  start_time: null,
  finish_time: null,
  reason: '',
  reason_code: '',
  step: '',
  progress: 0,
  queue_position: 0,
  estimate_seconds: null,
  can_cancel: true,
  can_resubmit: false,
  ...fields,
});

it.each([
  ['abinit', '9.10.4', 'ABINIT 9.10.4'],
  ['ABINIT', '9.6.2', 'ABINIT 9.6.2'],
  ['abinit', 'unknown', 'ABINIT'],
  ['vasp', 'vasp_std', 'VASP (vasp_std)'],
  ['template', 'our-dft', 'our-dft'],
  ['sevennet-0', '11July2024', 'SevenNet-0 11July2024'],
])('the engine %s %s is called %s', (engine, engine_version, name) =>
  expect(engineText({ engine, engine_version })).toBe(name),
);

it('a step of a relaxation moves the cell and the sites and keeps their elements', () => {
  const given: Structure = {
    latticeVectors: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.4])],
  };
  const frame = { step: 3, lattice: [4, 0, 0, 0, 4.1, 0, 0, 0, 4.2], positions: [0, 0, 0, 0.5, 0.5, 0.5] };
  expect(structureOf(frame, given)).toEqual({
    latticeVectors: [
      [4, 0, 0],
      [0, 4.1, 0],
      [0, 0, 4.2],
    ],
    sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
  });
});

describe('materialHref', () => {
  it('links finished and existing submissions only', () => {
    expect(materialHref(row({ status: 'finished', struct_id: 2_000_000_001 }))).toBe(
      '/matdatades/2000000001',
    );
    expect(materialHref(row({ status: 'existed', struct_id: 5 }))).toBe('/matdatades/5');
    for (const status of ['queued', 'running', 'failed', 'cancelled'] as const)
      expect(materialHref(row({ status, struct_id: 5 }))).toBeNull();
  });
});

describe('submitNotice', () => {
  it('uses the sentences of the specification', () => {
    expect(submitNotice({ error: 'true', message: 'Error' }, t)).toMatchObject({
      tone: 'error',
      text: 'uploadFirst',
    });
    expect(submitNotice({ error: 'false', message: 'Full', limit: 10 }, t)).toMatchObject({
      tone: 'warning',
      text: 'full 10',
    });
    expect(submitNotice({ error: 'false', message: 'Success', status: 'queued' }, t)).toMatchObject({
      tone: 'success',
    });
    expect(submitNotice({ error: 'true', message: 'Two atoms overlap.' }, t)).toMatchObject({
      tone: 'error',
      text: 'Two atoms overlap.',
    });
  });
});

describe('progressText', () => {
  it('shows the queue position, then the step', () => {
    expect(progressText(row({ queue_position: 0, estimate_seconds: 42 }), t)).toBe('next, seconds 40');
    expect(progressText(row({ queue_position: 3, estimate_seconds: 600 }), t)).toBe('ahead 3 3, minutes 10');
    expect(progressText(row({ status: 'running', step: 'bands', estimate_seconds: 9000 }), t)).toBe(
      'step_bands, hours 2.5',
    );
    expect(progressText(row({ status: 'failed' }), t)).toBe('');
  });

  it('shows no time if it is unknown', () => {
    expect(estimateText(null, t)).toBe('');
  });
});

describe('takeEvents', () => {
  it('splits a stream into events, wherever the chunks of the stream end', () => {
    const text = ': hello\n\nevent: dashboard\ndata: {"a":1}\n\nevent: dashboard\ndata: {"a"';
    const first = takeEvents(text);
    expect(first.events).toEqual(['{"a":1}']);
    expect(takeEvents(`${first.rest}:2}\n\n`).events).toEqual(['{"a":2}']);
  });
});

it('the curve of an equation of state has the given minimum and bulk modulus', () => {
  const eos = {
    volumes: [],
    energies: [],
    volume_per_atom: 20,
    energy_per_atom: -5,
    bulk_modulus: 100,
    bulk_modulus_derivative: 4.5,
  };
  const energy = (volume: number): number => birchMurnaghanEnergy(eos, volume);
  expect(energy(20)).toBe(-5);
  const h = 0.01;
  const curvature = (energy(20 + h) - 2 * energy(20) + energy(20 - h)) / h ** 2;
  expect(20 * curvature * 160.21766208).toBeCloseTo(100, 2);
});

describe('a submission contains only fields that differ from the site defaults', () => {
  const service = (engine: string | null, predicts: boolean) => ({ engine, predicts }) as CalculationService;
  it.each([
    ['no engine', service(null, false), {}, {}],
    ['only the potential', service('sevennet-0', true), {}, { tasks: ['phonons'] }],
    ['a program', service('abinit', true), {}, { method: 'prediction', tasks: ['phonons'] }],
  ])('with %s', (_, site, calculated, predicted) => {
    expect(fieldsOf({ method: 'first-principles', tasks: [], physics: [] }, site)).toEqual(calculated);
    expect(fieldsOf({ method: 'prediction', tasks: ['phonons'], physics: [] }, site)).toEqual(predicted);
  });

  it('sends the hopping ion only together with its task', () => {
    const wish = { method: 'prediction', tasks: ['barrier'], ion: 'Na', physics: [] } as const;
    expect(fieldsOf(wish, service('sevennet-0', true))).toEqual({ tasks: ['barrier'], ion: 'Na' });
    expect(fieldsOf({ ...wish, tasks: ['eos'] }, service('sevennet-0', true))).toEqual({ tasks: ['eos'] });
  });

  it('sends the potential only with a prediction', () => {
    const wish = { method: 'prediction', tasks: [], potential: 'sevennet-l3i5', physics: [] } as const;
    const potential = 'sevennet-l3i5';
    expect(fieldsOf(wish, service('sevennet-0', true))).toEqual({ tasks: [], potential });
    expect(fieldsOf(wish, service('abinit', true))).toEqual({ method: 'prediction', tasks: [], potential });
    expect(fieldsOf({ ...wish, method: 'first-principles' }, service('abinit', true))).toEqual({});
  });

  it('sends physics and tasks of a calculation only to ABINIT', () => {
    const wish = {
      method: 'first-principles',
      tasks: ['eos', 'elastic'],
      physics: ['dispersion'],
    } as const;
    expect(fieldsOf(wish, service('abinit', true))).toEqual({
      method: 'first-principles',
      tasks: ['elastic'],
      physics: ['dispersion'],
    });
    expect(fieldsOf(wish, service('vasp', true))).toEqual({});
  });
});
