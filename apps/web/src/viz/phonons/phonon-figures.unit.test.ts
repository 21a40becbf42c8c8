// @vitest-environment node
import type { PhononsJson } from '@unitcell/contract/results';
import { fromPymatgenDict } from '@unitcell/crystal';
import { modeMotions } from '@unitcell/potential';
import { describe, expect, it, vi } from 'vitest';
import { namedWaves, phononPath, thermalCurves } from './phonon-figures.ts';
import { modeSolver } from './use-modes.ts';

/** A cubic cell of 2π Å: its reciprocal vectors are 1/Å long. */
const edge = 2 * Math.PI;
const phonons: PhononsJson = {
  structure: {
    lattice: {
      matrix: [
        [edge, 0, 0],
        [0, edge, 0],
        [0, 0, edge],
      ],
    },
    sites: [
      { species: [{ element: 'Cs', occu: 1 }], abc: [0, 0, 0] },
      { species: [{ element: 'Cl', occu: 1 }], abc: [0.5, 0.5, 0.5] },
    ],
  } as unknown as PhononsJson['structure'],
  supercell: [2, 2, 2],
  bands: [
    { q: [0, 0, 0], label: 'Γ', frequencies: [0] },
    { q: [0.25, 0, 0], frequencies: [1] },
    { q: [0.5, 0, 0], label: 'X', frequencies: [2] },
    { q: [0.5, 0.5, 0], label: 'M', frequencies: [2] },
    { q: [0.5, 0.5, 0.5], frequencies: [3] },
  ],
  has_imaginary_modes: false,
  dos: { frequencies: [], total: [], by_atom: [] },
  // Heat capacity of two atoms at high temperature: 3 k each.
  thermal: [{ temperature: 5000, free_energy: -1, entropy: 1e-3, heat_capacity: 6 * 8.617333262e-5 }],
};

it('a phonon path measures distances in 1/Å and labels both sides of a jump', () => {
  const { distances, ticks, jumps } = phononPath(phonons);
  [0, 0.25, 0.5, 0.5, 1].forEach((wanted, at) => expect(distances[at]).toBeCloseTo(wanted, 10));
  expect(ticks.map(({ text }) => text)).toEqual(['Γ', 'X|M']);
  expect([...jumps]).toEqual([2]);
});

it('thermal properties are given per mole of atoms', () => {
  const { heatCapacity, freeEnergy } = thermalCurves(phonons);
  // The Dulong–Petit value, 3 R.
  expect(heatCapacity[0]).toBeCloseTo(24.943, 2);
  expect(freeEnergy[0]).toBeCloseTo(-48.243, 2);
});

it('the wave vectors to choose from are named once, those with imaginary modes first', () => {
  const bands = [
    { q: [0, 0, 0], label: 'Γ', frequencies: [-0.02, 0, 0.01] },
    // An unnamed wave vector, with a frequency below zero only because of interpolation.
    { q: [0.1, 0, 0], frequencies: [-3, 1, 2] },
    { q: [0.5, 0, 0], label: 'X', frequencies: [-0.4, 1, 2] },
    { q: [0.5, 0.5, 0], label: 'M', frequencies: [-1.2, -0.3, 2] },
    { q: [0, 0, 0], label: 'Γ', frequencies: [-0.02, 0, 0.01] },
  ];
  expect(namedWaves({ bands })).toEqual([
    { name: 'M', q: [0.5, 0.5, 0], imaginary: 2 },
    { name: 'X', q: [0.5, 0, 0], imaginary: 1 },
    { name: 'Γ', q: [0, 0, 0], imaginary: 0 },
  ]);
});

describe('modes from force constants', () => {
  /** Two atoms on springs of 2 eV/Å². */
  const constants = {
    supercell: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as [[number, number, number], [number, number, number], [number, number, number]],
    masses: [132.9, 35.45],
    values: [2, -2, -2, 2].flatMap((spring) => [spring, 0, 0, 0, spring, 0, 0, 0, spring]),
  };
  const { structure } = phonons;
  const modesAt = modeMotions({
    ...constants,
    structure: fromPymatgenDict(structure),
    values: Float64Array.from(constants.values),
  });
  const [gamma, x, m, r] = [
    [0, 0, 0],
    [0.5, 0, 0],
    [0.5, 0.5, 0],
    [0.5, 0.5, 0.5],
  ] as const;
  const wanted = () => new AbortController().signal;

  /** Replaces workers by their code in this thread. The test decides when a message is delivered. */
  async function heldWorkers() {
    type Take = (message: { readonly data: unknown }) => void;
    let receive: Take = () => undefined;
    const held: unknown[] = [];
    let answered: Take = () => undefined;
    let failed = (): void => undefined;
    let opened = 0;
    vi.stubGlobal('self', {
      addEventListener: (_: string, take: Take) => (receive = take),
      postMessage: (data: unknown) => answered({ data: structuredClone(data) }),
    });
    vi.resetModules();
    await import('./modes.worker.ts');
    vi.stubGlobal(
      'Worker',
      class {
        constructor() {
          opened += 1;
        }
        addEventListener(kind: string, take: never): void {
          if (kind === 'message') answered = take;
          else failed = take;
        }
        postMessage(message: unknown): void {
          held.push(structuredClone(message));
        }
        terminate(): void {
          held.length = 0;
        }
      },
    );
    return {
      held,
      release: () => receive({ data: held.shift() }),
      fail: () => failed(),
      opened: () => opened,
    };
  }

  it('are the same from the worker as from a direct calculation', async () => {
    const { release } = await heldWorkers();
    const solver = modeSolver({ structure, constants });
    for (const q of [gamma, [0.13, 0.2, 0.3] as const]) {
      const answer = solver.modesAt(q, wanted());
      if (q === gamma) release();
      release();
      expect(await answer).toEqual(modesAt([...q]));
    }
  });

  it('are those of the last wave vector: outdated results are dropped, and wave vectors in between are not solved', async () => {
    const { held, release } = await heldWorkers();
    const solver = modeSolver({ structure, constants });
    const clicks = [gamma, x, m].map((q) => {
      const click = new AbortController();
      const answer = solver.modesAt(q, click.signal);
      click.abort();
      return answer;
    });
    const last = solver.modesAt(r, wanted());
    release();
    expect(held).toEqual([gamma]);
    release();
    expect(held).toEqual([r]);
    release();
    expect(await last).toEqual(modesAt([...r]));
    expect((await Promise.allSettled(clicks)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(held).toEqual([]);
  });

  it('fail with the worker, and the next attempt starts another worker', async () => {
    const { fail, release, opened } = await heldWorkers();
    const solver = modeSolver({ structure, constants });
    const answer = solver.modesAt(x, wanted());
    fail();
    await expect(answer).rejects.toThrow('could not be solved');
    const again = solver.modesAt(x, wanted());
    release();
    release();
    expect(await again).toEqual(modesAt([...x]));
    expect(opened()).toBe(2);
    const left = solver.modesAt(m, wanted());
    solver.close();
    await expect(left).rejects.toThrow('closed');
  });
});
