import { describe, expect, it } from 'vitest';
import type { CalculationStep, StepRequest } from '../calculator.ts';
import { template } from './template.ts';

const structure = {
  latticeVectors: [
    [3, 0, 0],
    [0, 3, 0],
    [0, 0, 3],
  ] as const,
  sites: [
    { species: [{ element: 'Cs', occupancy: 1 }], fractionalCoords: [0, 0, 0] as const },
    { species: [{ element: 'Cl', occupancy: 1 }], fractionalCoords: [0.5, 0.5, 0.5] as const },
  ],
};
const request = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'CsCl',
  structure,
  preset: 'ci' as const,
  moments: null,
  isMetal: false,
  dataSets: {},
  workarounds: [],
  ...more,
  step,
});
const answer = (result: unknown, exitCode = 0) => ({
  exitCode,
  signal: null,
  files: { 'result.json': typeof result === 'string' ? result : JSON.stringify(result), log: 'last words' },
});

describe('template', () => {
  it('writes the request in OPTIMADE’s format', () => {
    const { files, needs } = template.plan(request('bands', { kPoints: [[0, 0, 0]], fermiEnergy: 1 }));
    expect(JSON.parse(files['request.json'])).toMatchObject({
      step: 'bands',
      structure: {
        species_at_sites: ['Cs', 'Cl'],
        cartesian_site_positions: [
          [0, 0, 0],
          [1.5, 1.5, 1.5],
        ],
      },
      k_points: [[0, 0, 0]],
    });
    expect(needs).toHaveLength(1);
  });

  it('reads each step', () => {
    const moved = {
      lattice_vectors: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      cartesian_site_positions: [
        [0, 0, 0],
        [2, 2, 2],
      ],
    };
    const relax = template.read(request('relax'), answer({ structure: moved }));
    expect(relax).toMatchObject({
      kind: 'done',
      result: { structure: { latticeVectors: moved.lattice_vectors } },
    });
    const eigenvalues = [{ k_points: [[0, 0, 0]], energies: [[-1, 2]] }];
    expect(
      template.read(request('static'), answer({ energy: -3, fermi_energy: 0, eigenvalues })),
    ).toMatchObject({ kind: 'done', result: { energy: -3, eigenvalues: [{ weights: [1] }] } });
    expect(template.read(request('dos'), answer({ energies: [0, 1], total: [[1, 2]] }))).toMatchObject({
      kind: 'done',
    });
  });

  it.each([
    ['no JSON', '{', 'output-incomplete'],
    ['no energy', { fermi_energy: 0 }, 'output-incomplete'],
    ['a complaint it knows', { error: 'scf-not-converged' }, 'scf-not-converged'],
    ['a complaint it does not know', { error: 'moon', message: 'wrong phase' }, 'engine-refused'],
  ])('classifies %s', (_name, result, code) => {
    expect(template.read(request('static'), answer(result))).toMatchObject({ kind: 'failed', code });
  });

  it('treats a non-zero exit code as a crash, with the last words of the log', () => {
    expect(template.read(request('static'), answer('{}', 3))).toMatchObject({
      code: 'engine-crashed',
      detail: expect.stringContaining('last words'),
    });
  });
});
