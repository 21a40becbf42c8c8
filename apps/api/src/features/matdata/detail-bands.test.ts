import { materialDetail } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';

/** Two cosine bands along Γ–X–W: the gap is `gap` eV, and spin down is `exchange` eV higher. */
function bands(functional: string, gap: number, exchange: number) {
  const kDistance = Array.from({ length: 21 }, (_, k) => k / 10);
  const energies = (shift: number) =>
    kDistance.map((k) => [shift + Math.cos(Math.PI * k) - 1, shift + gap + 1 - Math.cos(Math.PI * k)]);
  return {
    functional,
    kPoints: kDistance.map((k) => [k / 4, 0, k / 4]),
    labels: [
      { index: 0, label: '\\Gamma' },
      { index: 10, label: 'X' },
      { index: 20, label: 'W' },
    ],
    kDistance,
    spinUp: energies(0),
    ...(exchange !== 0 && { spinDown: energies(exchange) }),
    fermiEnergy: 0.1,
  };
}

const dos = (functional: string) => ({
  functional,
  energies: [-2, -1, 0, 1, 2, 3],
  total: [1, 2, 0, 0, 2, 1],
  totalDown: [1, 1, 0, 0, 1, 1],
  fermiEnergy: 0.1,
});

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    rockSalt('Ni', 'O', 4.17, {
      struct_id: 1,
      bands: [bands('PBE', 0.7, 0.4), bands('HSE06', 4.2, 0.5)],
      dos: [dos('PBE'), dos('HSE06')],
    }),
    rockSalt('Mg', 'O', 4.21, { struct_id: 2, bands: [bands('HSE06', 6.5, 0)] }),
    rockSalt('Ca', 'O', 4.81, { struct_id: 3 }),
  ]);
});
afterAll(() => test.close());

const diagramOf = async (structId: number) => {
  const answer = await test.post('/api/matdata/get_struct_detail/', { struct_id: structId }, { token });
  return materialDetail.parse(answer.json()).elec_diagram;
};

describe('band structures of two functionals', () => {
  it('are both shown with their own diagrams and numbers', async () => {
    const diagram = await diagramOf(1);
    expect(diagram.pbe_elec_diagram_display).toBe('block');
    expect(diagram.hse_elec_diagram_display).toBe('block');
    expect(diagram.pbe_elec_diagram).not.toBe(diagram.hse_elec_diagram);
    expect(diagram.band_structures.map(({ functional }) => functional).sort()).toEqual(['HSE06', 'PBE']);
    expect(diagram.densities_of_states.map(({ functional }) => functional).sort()).toEqual(['HSE06', 'PBE']);
  });

  it('have both spins and the Fermi level in the numbers and in the diagram', async () => {
    const diagram = await diagramOf(1);
    const hybrid = diagram.band_structures.find(({ functional }) => functional === 'HSE06');
    expect(hybrid).toEqual(bands('HSE06', 4.2, 0.5));
    for (const markup of [diagram.pbe_elec_diagram, diagram.hse_elec_diagram]) {
      expect(markup).toMatch(/^<svg [^>]*width="100%"/);
      // Spin down is dashed; the Fermi level has a different dash pattern.
      expect(markup.match(/stroke-dasharray="4 3"/g)?.length).toBeGreaterThan(0);
      expect(markup).toContain('>W</text>');
    }
  });

  it('show only the hybrid bands if there are no others, and nothing without any bands', async () => {
    expect(await diagramOf(2)).toMatchObject({
      pbe_elec_diagram_display: 'none',
      pbe_elec_diagram: '',
      hse_elec_diagram_display: 'block',
    });
    expect(await diagramOf(3)).toMatchObject({
      pbe_elec_diagram_display: 'none',
      hse_elec_diagram_display: 'none',
      band_structures: [],
    });
  });

  it('set a flag in the search row', async () => {
    const { rows } = await test.database.readPool.query(
      'SELECT struct_id, has_band, has_hse FROM material ORDER BY struct_id',
    );
    expect(rows).toEqual([
      { struct_id: 1, has_band: true, has_hse: true },
      { struct_id: 2, has_band: true, has_hse: true },
      { struct_id: 3, has_band: false, has_hse: false },
    ]);
  });
});
