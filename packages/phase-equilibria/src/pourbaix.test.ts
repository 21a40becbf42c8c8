import { referenceCases } from '@unitcell/tools/shared-data';
import { minimumByHighs } from '@unitcell/tools/testing/linear-program';
import { atomCount, parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  ionsOf,
  measuredSolidsOf,
  parseIon,
  solidGibbs,
  solidsOnHull,
  waterShift,
} from './aqueous-species.ts';
import {
  type AqueousSpecies,
  polygonBelow,
  OXYGEN_POTENTIAL,
  pourbaixDecomposition,
  pourbaixDiagram,
  planeEnergy,
  regionAt,
  speciesPlane,
  VOLTS_PER_PH,
  WATER_GIBBS,
} from './pourbaix.ts';

interface Entry extends AqueousSpecies {
  id: string;
  energy_eV: number;
  e_form_0K_eV_atom?: number;
}
interface Input {
  elements: string[];
  composition: Record<string, number>;
  concentration_mol_per_l: Record<string, number>;
  filter_solids: boolean;
  entries: Entry[];
  solids_in_hull: string[];
}
interface Expected {
  regions: { stable: string[]; vertices: [number, number][]; area: number }[];
  points: { pH: number; V: number; stable: string[]; energy_eV_per_atom: number; margin_eV: number }[];
  decomposition: {
    solid: string;
    pH: number;
    V: number;
    decomposition_energy_eV_atom: number;
    products_per_formula: Record<string, number>;
  }[];
}

const WINDOW = { ph: [-2, 16], potential: [-4, 4] } as const;
const areaOf = (corners: readonly { x: number; y: number }[]) =>
  corners.reduce((sum, { x, y }, i) => {
    const next = corners[(i + 1) % corners.length];
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
const nameOf = (species: readonly { species: { id: string } }[]) =>
  species
    .map(({ species: { id } }) => id)
    .sort()
    .join(' ');

describe('Pourbaix reference cases', () => {
  for (const { id, input, expected } of referenceCases<Input, Expected, object>('pourbaix')) {
    const entries = input.entries.map((entry) => ({ ...entry, energy: entry.energy_eV }));
    const inHull = new Set(input.solids_in_hull);
    const system = {
      elements: input.elements,
      species: entries.filter((entry) => entry.phase === 'ion' || inHull.has(entry.id)),
      concentration: input.concentration_mol_per_l,
    };
    const ratio = input.elements.map((element) => input.composition[element] ?? 0);
    const { regions } = pourbaixDiagram(system, ratio, WINDOW);

    it(`${id}: regions have the same species, corners and areas`, () => {
      const found = regions.map(({ species, corners }) => ({
        name: nameOf(species),
        area: areaOf(corners),
        corners,
      }));
      for (const region of expected.regions) {
        const own = found.find(({ name }) => name === [...region.stable].sort().join(' '));
        expect(own?.area).toBeCloseTo(region.area, 3);
        for (const [x, y] of region.vertices) {
          const distance = Math.min(...(own?.corners ?? []).map((at) => Math.hypot(at.x - x, at.y - y)));
          expect(distance).toBeLessThan(1e-4);
        }
      }
    });

    it(`${id}: has the stable species and energy of every listed point`, () => {
      for (const { pH, V, stable, energy_eV_per_atom: energy } of expected.points) {
        const region = regionAt(regions, pH, V);
        expect(nameOf(region?.species ?? [])).toBe([...stable].sort().join(' '));
        expect(region && planeEnergy(region.plane, pH, V)).toBeCloseTo(energy, 5);
      }
    });

    it(`${id}: has the decomposition energy and products of every listed solid`, () => {
      for (const row of expected.decomposition) {
        const solid = entries.find((entry) => entry.id === row.solid);
        if (solid === undefined) throw new Error(`${row.solid} is not an entry`);
        const elements = input.elements.filter((element) => (solid.composition[element] ?? 0) > 0);
        const amounts = elements.map((element) => solid.composition[element] ?? 0);
        const own = pourbaixDiagram({ ...system, elements }, amounts, WINDOW).regions;
        expect(pourbaixDecomposition(solid, own, row.pH, row.V)).toBeCloseTo(
          row.decomposition_energy_eV_atom,
          4,
        );
        const products = regionAt(own, row.pH, row.V)?.species ?? [];
        const metals = amounts.reduce((sum, amount) => sum + amount, 0);
        const isDecided = row.decomposition_energy_eV_atom > 0.002;
        for (const [product, amount] of Object.entries(isDecided ? row.products_per_formula : {}))
          expect((products.find(({ species }) => species.id === product)?.amount ?? 0) * metals).toBeCloseTo(
            amount,
            3,
          );
      }
    });

    it.skipIf(!input.filter_solids)(`${id}: exactly the solids on the hull are kept`, () => {
      const solids = entries
        .filter(({ phase }) => phase === 'solid')
        .map((entry) => ({ ...entry, energy: entry.energy_eV }));
      expect(
        solidsOnHull(solids, input.elements)
          .map((solid) => solid.id)
          .sort(),
      ).toEqual([...inHull].sort());
    });
  }
});

const solid = (formula: string, energy: number) =>
  ({ id: formula, phase: 'solid', composition: parseFormula(formula), charge: 0, energy }) as const;

/** Random solids and ions of the elements Fe, Cr and Ni. */
function randomSystem(seed: number, elements: readonly string[]) {
  const random = seededRandom(seed);
  const count = (most: number) => Math.floor(random() * (most + 1));
  const species: (AqueousSpecies & { id: string })[] = elements.map((element) => solid(element, 0));
  for (let i = 0; i < 40; i++) {
    const composition: Record<string, number> = { O: count(5), H: count(4) };
    const isIon = random() < 0.4;
    const own = isIon ? [elements[count(elements.length - 1)]] : elements.filter(() => random() < 0.6);
    for (const element of own) composition[element] = 1 + count(2);
    if (own.length === 0) continue;
    species.push({
      id: String(i),
      phase: isIon ? 'ion' : 'solid',
      composition,
      charge: isIon ? count(6) - 3 : 0,
      energy: Math.round(-10 * atomCount(composition) * random()) / 10,
    });
  }
  return { elements, species, concentration: Object.fromEntries(elements.map((element) => [element, 1e-6])) };
}

describe('pourbaixDiagram', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'tiles the window with the lowest energies of random species (%i)',
    (seed) => {
      const system = randomSystem(seed, ['Fe', 'Cr', 'Ni'].slice(0, 1 + (seed % 3)));
      const { regions, ratio } = pourbaixDiagram(system, [1, 2, 3].slice(0, system.elements.length), WINDOW);
      expect(regions.reduce((sum, { corners }) => sum + areaOf(corners), 0)).toBeCloseTo(18 * 8, 6);
      for (let pH = -2; pH <= 16; pH += 3)
        for (let volts = -4; volts <= 4; volts += 1.6) {
          const region = regionAt(regions, pH, volts);
          const least = minimumByHighs({
            costs: system.species.map((one) =>
              planeEnergy(speciesPlane(one, system.concentration), pH, volts),
            ),
            rows: system.elements.map((element) =>
              system.species.map(({ composition }) => composition[element] ?? 0),
            ),
            rightHandSide: ratio,
          });
          expect(region && planeEnergy(region.plane, pH, volts)).toBeCloseTo(least, 7);
        }
      // On a shared side, both regions have the same energy.
      for (const { corners, plane } of regions)
        corners.forEach(({ x, y, limit }, i) => {
          const next = corners[(i + 1) % corners.length];
          if (limit === null) return;
          for (const at of [{ x, y }, next])
            expect(planeEnergy(regions[limit].plane, at.x, at.y)).toBeCloseTo(
              planeEnergy(plane, at.x, at.y),
              8,
            );
        });
    },
  );

  it('the contours enclose only points where the decomposition energy is below the level', () => {
    const system = randomSystem(11, ['Fe', 'Cr']);
    const spinel = { composition: { Fe: 1, Cr: 2, O: 4 }, energy: -25, phase: 'solid' as const, charge: 0 };
    const { regions } = pourbaixDiagram(system, [1, 2], WINDOW);
    const planes = regions.map(({ plane }) => ({
      constant: (plane.constant * 3) / 7,
      ph: (plane.ph * 3) / 7,
      potential: (plane.potential * 3) / 7,
    }));
    const own = speciesPlane(spinel, {});
    const compound = { constant: own.constant / 7, ph: own.ph / 7, potential: own.potential / 7 };
    const levels = [0.5, 1, 2].map((level) => polygonBelow(compound, planes, level, WINDOW));
    expect(levels.some((corners) => corners.length > 2)).toBe(true);
    levels.forEach((corners, i) => {
      for (const { x, y } of corners.filter(({ limit }) => limit !== null))
        expect(pourbaixDecomposition(spinel, regions, x, y)).toBeLessThan([0.5, 1, 2][i] + 1e-9);
    });
  });

  it('shares the concentration of an element among the atoms of an ion: 2 mol/l Fe are 1 mol/l Fe2(OH)2⁴⁺', () => {
    const dimer = { phase: 'ion' as const, composition: { Fe: 2, O: 2, H: 2 }, charge: 4, energy: -4.84 };
    const { constant } = speciesPlane(dimer, { Fe: 2 });
    // At an activity of 1 only the water that the hydroxides come from is added.
    expect(constant).toBeCloseTo(-4.84 - 2 * WATER_GIBBS, 12);
  });

  it('finds the potential at which Fe and 1e-6 mol/l Fe2+ are in equilibrium, from measured energies', () => {
    const table = ionsOf('Fe');
    const species = [
      solid('Fe', 0),
      ...measuredSolidsOf(['Fe']).map(({ formula, gibbs }) => solid(formula, gibbs)),
      ...(table?.ions ?? []).map((ion) => ({
        ...ion,
        id: ion.formula,
        phase: 'ion' as const,
        energy: ion.gibbs,
      })),
    ];
    const { regions } = pourbaixDiagram(
      { elements: ['Fe'], species, concentration: { Fe: 1e-6 } },
      [1],
      WINDOW,
    );
    const iron = regions.find((region) => nameOf(region.species) === 'Fe');
    const side = iron?.corners.find(
      ({ limit }) => limit !== null && nameOf(regions[limit].species) === 'Fe[2+]',
    );
    // Nernst: −78.87 kJ/mol / 2 F − 0.0591/2 × 6 V.
    expect(side?.y).toBeCloseTo(-78.874 / 2 / 96.48533 - 3 * 0.0591, 6);
    expect(side?.y).toBeCloseTo(-0.586, 3);
  });

  it('puts the stability limits of water at 0 and 1.229 V at pH 0', () => {
    expect(WATER_GIBBS).toBe(-2.4583);
    expect(OXYGEN_POTENTIAL).toBeCloseTo(1.229, 3);
    // Lower limit: H2 → 2 H⁺ + 2 e⁻. Upper limit: 2 H2O → O2 + 4 H⁺ + 4 e⁻.
    const at = (formula: string, volts: number) =>
      planeEnergy(speciesPlane(solid(formula, 0), {}), 7, volts - 7 * VOLTS_PER_PH);
    expect(at('H2', 0)).toBeCloseTo(0, 12);
    expect(at('O2', OXYGEN_POTENTIAL)).toBeCloseTo(0, 12);
  });

  it('refuses an element that has no species, and a bad ratio', () => {
    const system = {
      elements: ['Fe', 'Cr'],
      species: [solid('Fe', 0), solid('FeCr', -1)],
      concentration: {},
    };
    expect(() => pourbaixDiagram(system, [1, 1], WINDOW)).toThrow(/Cr as its only element/);
    expect(() => pourbaixDiagram(system, [1, 0], WINDOW)).toThrow(/positive/);
    expect(() =>
      pourbaixDiagram({ ...system, elements: ['Fe', 'Cr', 'Ni', 'Ti'] }, [1, 1, 1, 1], WINDOW),
    ).toThrow(/1 to 3/);
  });
});

describe('parseIon', () => {
  it.each([
    ['Fe[2+]', { Fe: 1 }, 2],
    ['FeO4[2-]', { Fe: 1, O: 4 }, -2],
    ['Li[+]', { Li: 1 }, 1],
    ['Fe(OH)3(aq)', { Fe: 1, O: 3, H: 3 }, 0],
  ])('reads %s', (text, composition, charge) => {
    expect(parseIon(text)).toEqual({ composition, charge });
  });

  it('returns null for a formula without a charge', () => {
    expect(parseIon('Fe2O3')).toBeNull();
  });

  it('reads all 362 ions of the table with their sources', () => {
    const elements =
      'Ag Al As Au B Ba Be Bi Br C Ca Cd Ce Cl Co Cr Cs Cu Dy Er Eu F Fe Ga Gd Ge Hf Hg Ho I In Ir K La Li Lu Mg Mn Mo N Na Nb Nd Ni Os P Pb Pd Pr Pt Pu Rb Re Rh Ru S Sb Sc Se Si Sm Sn Sr Ta Tb Tc Te Th Ti Tl Tm U V W Y Yb Zn Zr';
    const ions = elements.split(' ').flatMap((element) => ionsOf(element)?.ions ?? []);
    expect(ions).toHaveLength(362);
    expect(ions.every(({ source, gibbs }) => source !== '' && Number.isFinite(gibbs))).toBe(true);
  });
});

describe('waterShift', () => {
  const ice = solidGibbs({ H: 2, O: 1 }, -1.39083);

  // Formation energies in eV/atom of PBE (MP 2018); Gibbs energies of formation in kJ/mol of the NBS tables (1982).
  it.each([
    ['LiOH', -1.8382, -438.95],
    ['LiH3O2', -1.62059, -680.95],
    ['NaOH', -1.61246, -379.494],
    ['Mg(OH)2', -2.0784, -833.51],
    ['Ca(OH)2', -2.23247, -898.49],
    ['AlOOH', -2.69098, -918.4],
  ])('brings the Gibbs energy of %s near the measured one', (formula, energy, measured) => {
    const composition = parseFormula(formula);
    const computed = solidGibbs(composition, energy);
    const errorPerHydrogen = (gibbs: number) => (gibbs - measured / 96.48533) / (composition['H'] ?? 1);
    expect(errorPerHydrogen(computed)).toBeLessThan(-0.35);
    expect(Math.abs(errorPerHydrogen(computed + waterShift(composition, ice)))).toBeLessThan(0.15);
  });

  it('is zero for hydrides and oxides', () => {
    expect(waterShift({ Li: 1, H: 1 }, ice)).toBe(0);
    expect(waterShift({ Li: 2, O: 1 }, ice)).toBe(0);
  });
});
