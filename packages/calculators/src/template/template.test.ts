import { describe, expect, it } from 'vitest';
import { seededRandom, type Vec3 } from '@unitcell/numerics';
import type { CALCULATION_STEPS, CalculationStep, StepRequest } from '../calculator.ts';
import { template } from './template.ts';

const cesiumChloride = {
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
const csclRequest = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'CsCl',
  structure: cesiumChloride,
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
    const { files, needs } = template.plan(csclRequest('bands', { kPoints: [[0, 0, 0]], fermiEnergy: 1 }));
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

  it('reads the result of each step', () => {
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
    const relax = template.read(csclRequest('relax'), answer({ structure: moved }));
    expect(relax).toMatchObject({
      kind: 'done',
      result: { structure: { latticeVectors: moved.lattice_vectors } },
    });
    const eigenvalues = [{ k_points: [[0, 0, 0]], energies: [[-1, 2]] }];
    expect(
      template.read(csclRequest('static'), answer({ energy: -3, fermi_energy: 0, eigenvalues })),
    ).toMatchObject({ kind: 'done', result: { energy: -3, eigenvalues: [{ weights: [1] }] } });
    expect(template.read(csclRequest('dos'), answer({ energies: [0, 1], total: [[1, 2]] }))).toMatchObject({
      kind: 'done',
    });
  });

  it('takes a total moment that is not in the result as unknown', () => {
    const structure = template.plan(csclRequest('relax')).files['request.json'];
    const relaxed = answer({ structure: JSON.parse(structure).structure });
    expect(template.read(csclRequest('relax', { moments: [2, 2] }), relaxed)).toMatchObject({
      result: { magnetization: null, localMoments: [] },
    });
  });

  it.each([
    ['no JSON', '{', 'output-incomplete'],
    ['no energy', { fermi_energy: 0 }, 'output-incomplete'],
    ['a complaint it knows', { error: 'scf-not-converged' }, 'scf-not-converged'],
    ['a complaint it does not know', { error: 'moon', message: 'wrong phase' }, 'engine-refused'],
  ])('classifies %s', (_name, result, code) => {
    expect(template.read(csclRequest('static'), answer(result))).toMatchObject({ kind: 'failed', code });
  });

  it('treats a non-zero exit code as a crash, and reports the end of the log', () => {
    expect(template.read(csclRequest('static'), answer('{}', 3))).toMatchObject({
      code: 'engine-crashed',
      detail: expect.stringContaining('last words'),
    });
  });

  it('reports no control characters of an engine, because PostgreSQL stores no zero byte', () => {
    const result = answer({ error: 'moon', message: 'wrong\u0000\u0007 phase' });
    expect(template.read(csclRequest('static'), result)).toMatchObject({ detail: 'wrong phase' });
  });
});

// Structures are written to the request of an engine and read back from its result; invalid results are
// refused.

const random = seededRandom(91);
const spread = (scale: number): number => scale * (random() - 0.5);

/** A random triclinic cell with one to five atoms. */
function randomStructure() {
  const axis = (index: number): Vec3 =>
    [0, 1, 2].map((n) => (n === index ? 4 + 3 * random() : spread(2))) as unknown as Vec3;
  return {
    latticeVectors: [axis(0), axis(1), axis(2)] as const,
    sites: Array.from({ length: 1 + Math.floor(5 * random()) }, () => ({
      species: [{ element: random() < 0.5 ? 'Ti' : 'O', occupancy: 1 }],
      fractionalCoords: [random(), random(), random()] as const,
    })),
  };
}
const requestOf = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'x',
  structure: randomStructure(),
  preset: 'ci' as const,
  moments: null,
  isMetal: false,
  dataSets: {},
  workarounds: [],
  ...more,
  step,
});
const leaving = (json: unknown) => ({
  exitCode: 0,
  signal: null,
  files: { 'result.json': JSON.stringify(json) },
});

describe('a structure', () => {
  it('is read back unchanged if the engine returns it unchanged', () => {
    for (let round = 0; round < 40; round++) {
      const request = requestOf('relax');
      const { structure } = JSON.parse(template.plan(request).files['request.json']);
      const outcome = template.read(request, leaving({ structure }));
      if (outcome.kind !== 'done') throw new Error(outcome.kind);
      const back = outcome.result.structure;
      expect(back.latticeVectors).toEqual(request.structure.latticeVectors);
      back.sites.forEach(({ species, fractionalCoords }, index) => {
        expect(species).toEqual(request.structure.sites[index].species);
        fractionalCoords.forEach((x, axis) =>
          expect(x).toBeCloseTo(request.structure.sites[index].fractionalCoords[axis], 10),
        );
      });
      expect(template.resume(request, { 'result.json': JSON.stringify({ structure }) })).toEqual(back);
    }
  });

  it('is refused without throwing if its cell is flat or invalid, or its atoms differ', () => {
    const request = requestOf('relax');
    const { structure } = JSON.parse(template.plan(request).files['request.json']);
    const [a, b] = structure.lattice_vectors;
    for (const lattice of [
      [a, a, b],
      [a, b, [a[0] + b[0], a[1] + b[1], a[2] + b[2]]],
      [[0, 0, 0], a, b],
      [a, b],
      [a, b, [1, 2]],
      [a, b, [1, 2, null]],
      'P1',
      null,
    ]) {
      const bad = { ...structure, lattice_vectors: lattice };
      expect(template.read(request, leaving({ structure: bad }))).toMatchObject({
        kind: 'failed',
        code: 'output-incomplete',
      });
      expect(template.resume(request, { 'result.json': JSON.stringify({ structure: bad }) })).toBeNull();
    }
    const positions = [...structure.cartesian_site_positions, [0, 0, 0]];
    expect(
      template.read(request, leaving({ structure: { ...structure, cartesian_site_positions: positions } })),
    ).toMatchObject({
      code: 'output-incomplete',
    });
  });
});

describe('a result', () => {
  const good: Readonly<Record<(typeof CALCULATION_STEPS)[number], (request: StepRequest) => object>> = {
    relax: (request: StepRequest) => ({
      structure: JSON.parse(template.plan(request).files['request.json']).structure,
      pressure_gpa: 0.1,
    }),
    static: () => ({
      energy: -3,
      free_energy: -3.1,
      fermi_energy: 0.5,
      max_force: 0.01,
      eigenvalues: [
        {
          k_points: [
            [0, 0, 0],
            [0.5, 0, 0],
          ],
          weights: [0.25, 0.75],
          energies: [
            [-1, 2],
            [-2, 1],
          ],
        },
      ],
    }),
    bands: () => ({
      eigenvalues: [
        { k_points: [[0, 0, 0]], energies: [[-1, 2]] },
        { k_points: [[0, 0, 0]], energies: [[-1, 3]] },
      ],
    }),
    dos: () => ({ energies: [0, 1, 2], total: [[1, 2, 3]], projected: { 'O p': [0, 1, 1], 'Ti d': [1] } }),
  };

  /** The JSON with one value at any depth replaced. */
  function damaged(json: unknown): unknown {
    if (random() < 0.25 || typeof json !== 'object' || json === null || Object.keys(json).length === 0)
      return [null, undefined, 7, 'x', [], {}, [null], [[]], true, -0.5][Math.floor(10 * random())];
    const keys = Object.keys(json);
    const key = keys[Math.floor(keys.length * random())];
    if (Array.isArray(json))
      return json.map((value, index) => (String(index) === key ? damaged(value) : value));
    return { ...json, [key]: damaged((json as Record<string, unknown>)[key]) };
  }

  it.each(['relax', 'static', 'bands', 'dos'] as const)(
    'of %s, damaged anywhere, is read or refused and never throws',
    (step) => {
      const kinds = new Set<string>();
      for (let round = 0; round < 400; round++) {
        const request = requestOf(step);
        const json = good[step](request);
        expect(template.read(request, leaving(json)).kind).toBe('done');
        const outcome = template.read(request, leaving(damaged(json) ?? null));
        kinds.add(outcome.kind);
        expect(['done', 'output-incomplete', 'engine-refused']).toContain(
          outcome.kind === 'failed' ? outcome.code : outcome.kind,
        );
      }
      expect(kinds).toEqual(new Set(['done', 'failed']));
    },
  );

  it('has the given weights or equal ones, and energies with and without smearing', () => {
    const [static_, bands, dos] = (['static', 'bands', 'dos'] as const).map((step) =>
      template.read(requestOf(step), leaving(good[step](requestOf(step)))),
    );
    expect(static_).toMatchObject({
      result: {
        energy: -3,
        freeEnergy: -3.1,
        fermiEnergy: 0.5,
        maxForce: 0.01,
        pressureGpa: 0,
        magnetization: null,
      },
    });
    expect(static_).toMatchObject({ result: { eigenvalues: [{ weights: [0.25, 0.75] }] } });
    expect(bands).toMatchObject({ result: { eigenvalues: [{ weights: [1] }, { energies: [[-1, 3]] }] } });
    // A column of a different length is ignored.
    expect(dos).toMatchObject({ result: { projected: { 'O p': [0, 1, 1] } } });
    expect(JSON.stringify(dos)).not.toContain('Ti d');
  });

  it('has a magnetic moment if and only if one was requested', () => {
    const json = { ...good.static(requestOf('static')), magnetization: 2.5, local_moments: [2, 0.5] };
    expect(template.read(requestOf('static'), leaving(json))).toMatchObject({
      result: { magnetization: null },
    });
    expect(template.read(requestOf('static', { moments: [1] }), leaving(json))).toMatchObject({
      result: { magnetization: 2.5, localMoments: [2, 0.5] },
    });
  });

  it('is reported as out of memory after a kill, and is refused after a crash', () => {
    const request = requestOf('static');
    const killed = { exitCode: null, signal: 'SIGKILL', files: {} };
    expect(template.read(request, killed)).toMatchObject({
      code: 'out-of-memory',
      detail: expect.stringContaining('SIGKILL'),
    });
    expect(template.read(request, { ...leaving(good.static(request)), exitCode: 1 })).toMatchObject({
      code: 'engine-crashed',
    });
  });
});
