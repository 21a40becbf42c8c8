/** Worker thread: the species of a Pourbaix diagram from catalogue or tables, and its regions. Pure. */
import type { EnergyScale } from '@unitcell/contract/common';
import {
  POURBAIX_PH,
  type PourbaixRegionAnswer,
  type PourbaixResult,
  type PourbaixSpeciesAnswer,
} from '@unitcell/contract/stability';
import { atomCount, type Composition, displayFormula, reducedFormula } from '@unitcell/crystal';
import { elementBySymbol, KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { roundTo } from '@unitcell/numerics';
import {
  type AqueousSpecies,
  type Assemblage,
  type EnergyPlane,
  ionsOf,
  measuredSolidsOf,
  OXYGEN_POTENTIAL,
  parseIon,
  pourbaixDiagram,
  type PourbaixWindow,
  solidGibbs,
  solidsOnHull,
  speciesPlane,
  VOLTS_PER_PH,
} from '@unitcell/phase-equilibria';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';
import {
  computedSolids,
  ionShift,
  type ReferenceEnergies,
  WATER,
  waterShiftOf,
} from '../../domain/thermodynamics/water-species.ts';

export interface PlacedSolid {
  readonly structId: number | null;
  readonly composition: Composition;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
}

export interface PourbaixRequest {
  readonly elements: readonly string[];
  readonly ratio: readonly number[];
  /** mol/l by element */
  readonly concentrations: Readonly<Record<string, number>>;
  readonly energies: 'computed' | 'measured';
  /** V */
  readonly potential: readonly [number, number];
  /** Phases of the elements with O and H; empty for measured energies. */
  readonly phases: readonly StoredPhase[];
  /** Formation energy of the reference solid of each element, eV/atom; absent if the catalogue lacks it. */
  readonly references: ReferenceEnergies;
  readonly ownIons: readonly { readonly formula: string; readonly gibbs: number }[];
  readonly compound: PlacedSolid | null;
  readonly scale: EnergyScale;
}

type Species = AqueousSpecies & { readonly answer: PourbaixSpeciesAnswer };

const speciesOf = (
  formula: string,
  phase: AqueousSpecies['phase'],
  composition: Composition,
  energy: number,
  rest: Pick<PourbaixSpeciesAnswer, 'kind'> & Partial<PourbaixSpeciesAnswer>,
): Species => {
  const charge = rest.charge ?? 0;
  const answer = {
    formula,
    phase,
    charge,
    gibbs: roundTo(energy, 6),
    source: '',
    shift: null,
    reference: null,
    struct_id: null,
    ...rest,
  };
  return { phase, composition, charge, energy, answer };
};

const isElement = (composition: Composition): boolean => Object.keys(composition).length === 1;

function measuredSpecies(elements: readonly string[]): readonly Species[] {
  return [
    ...elements.map((element) => speciesOf(element, 'solid', { [element]: 1 }, 0, { kind: 'definition' })),
    ...measuredSolidsOf(elements).map(({ formula, composition, gibbs, source }) =>
      speciesOf(formula, 'solid', composition, gibbs, { kind: 'measured', source }),
    ),
  ];
}

/** The solids of the catalogue that do not decompose into other solids, O2 and H2. */
function computedSpecies({ phases, elements }: PourbaixRequest): readonly Species[] {
  const shiftOf = waterShiftOf(phases);
  return solidsOnHull(computedSolids(phases, elements), elements).map(({ composition, energy, structId }) => {
    const shift = shiftOf(composition);
    return speciesOf(displayFormula(composition), 'solid', composition, energy, {
      kind: structId === null ? 'definition' : 'computed',
      struct_id: structId,
      ...(shift === 0 ? {} : { shift: roundTo(shift, 6), reference: reducedFormula(WATER) }),
    });
  });
}

const sameSpecies = (a: AqueousSpecies, b: AqueousSpecies): boolean =>
  a.charge === b.charge &&
  reducedFormula(a.composition) === reducedFormula(b.composition) &&
  atomCount(a.composition) === atomCount(b.composition);

/**
 * The ions of the table and those given by the user. With computed energies, ions of the table are used only
 * if the catalogue has the reference solid of their element.
 */
function dissolvedSpecies({ elements, energies, references, ownIons }: PourbaixRequest): readonly Species[] {
  const shiftOf = (element: string, composition: Composition): number | null =>
    energies === 'measured' ? null : ionShift(element, references, composition);
  const own = ownIons.flatMap(({ formula, gibbs }) => {
    const ion = parseIon(formula);
    const element = elements.find((symbol) => ion !== null && symbol in ion.composition);
    if (ion === null || element === undefined) return [];
    const shift = shiftOf(element, ion.composition);
    return speciesOf(formula, 'ion', ion.composition, gibbs / KJ_PER_MOL_PER_EV + (shift ?? 0), {
      kind: 'own',
      charge: ion.charge,
      shift,
      reference: ionsOf(element)?.reference ?? null,
    });
  });
  const listed = elements.flatMap((element) => {
    const table = ionsOf(element);
    if (table === undefined || (energies === 'computed' && references[element] === undefined)) return [];
    return table.ions.map(({ formula, composition, charge, gibbs, source }) => {
      const shift = shiftOf(element, composition);
      return speciesOf(formula, 'ion', composition, gibbs + (shift ?? 0), {
        kind: 'measured',
        charge,
        source,
        shift: shift === null ? null : roundTo(shift, 6),
        reference: table.reference,
      });
    });
  });
  return [...listed.filter((ion) => !own.some((other) => sameSpecies(ion, other))), ...own];
}

function kindOf(species: readonly Species[]): PourbaixRegionAnswer['kind'] {
  const dissolved = species.filter(({ phase }) => phase === 'ion').length;
  if (dissolved > 0) return dissolved === species.length ? 'corrosion' : 'partial';
  const solids = species.map(({ composition }) => solidKind(composition));
  if (solids.includes('hydride')) return 'hydride';
  return solids.every((kind) => kind === 'metal') ? 'immunity' : 'passivation';
}

/**
 * metal: an element or an alloy. hydride: hydrogen with metals only; it forms by uptake of hydrogen, which makes a metal
 * brittle, and is no protective film. film: every other compound, such as an oxide or a hydroxide.
 */
function solidKind(composition: Composition): 'metal' | 'hydride' | 'film' {
  const nonmetals = Object.keys(composition).filter((symbol) =>
    ['nonmetal', 'halogen'].includes(elementBySymbol(symbol).category),
  );
  if (isElement(composition) || nonmetals.length === 0) return 'metal';
  return nonmetals.every((symbol) => symbol === 'H') ? 'hydride' : 'film';
}

const roundPlane = ({ constant, ph, potential }: EnergyPlane, scale = 1): EnergyPlane => ({
  constant: roundTo(constant * scale, 9),
  ph: roundTo(ph * scale, 9),
  potential: roundTo(potential * scale, 9),
});

/** What the diagram lacks: elements without ions or reference solid, and measured solids that the catalogue lacks. */
function missingOf({
  elements,
  energies,
  references,
  phases,
  ownIons,
}: PourbaixRequest): PourbaixResult['missing'] {
  const stored = new Set(phases.map(({ formulaReduced }) => formulaReduced));
  const hasOwn = (element: string): boolean =>
    ownIons.some(({ formula }) => element in (parseIon(formula)?.composition ?? {}));
  const isWhole = (composition: Composition): boolean => Object.values(composition).every(Number.isInteger);
  return {
    ions: elements.filter((element) => ionsOf(element) === undefined && !hasOwn(element)),
    references: [
      ...elements.flatMap((element) => {
        const solid = ionsOf(element)?.reference;
        return energies === 'measured' || solid === undefined || references[element] !== undefined
          ? []
          : [{ element, solid }];
      }),
      ...(energies === 'measured' || stored.has(reducedFormula(WATER))
        ? []
        : [{ element: 'H', solid: 'H2O' }]),
    ],
    solids:
      energies === 'measured'
        ? []
        : measuredSolidsOf(elements)
            .filter(({ composition }) => isWhole(composition) && !stored.has(reducedFormula(composition)))
            .map(({ composition }) => displayFormula(composition)),
  };
}

export function drawDiagram(request: PourbaixRequest): PourbaixResult {
  const { elements, ratio, concentrations, energies, potential, phases, compound, scale } = request;
  const species = [
    ...(energies === 'measured' ? measuredSpecies(elements) : computedSpecies(request)),
    ...dissolvedSpecies(request),
  ];
  const places = new Map(species.map((one, index) => [one, index]));
  const system = { elements, species, concentration: concentrations };
  const window: PourbaixWindow = { ph: [POURBAIX_PH.min, POURBAIX_PH.max], potential };
  const diagram = pourbaixDiagram(system, ratio, window);
  const partsOf = ({ species: parts }: Assemblage<Species>) =>
    parts.map((part) => ({ index: places.get(part.species) ?? 0, amount: roundTo(part.amount, 9) }));

  const placed = (solid: PlacedSolid): PourbaixResult['compound'] => {
    const { composition, structId, formationEnergyPerAtom } = solid;
    const own = elements.filter((element) => element in composition);
    const amounts = own.map((element) => composition[element] ?? 0);
    const atoms = atomCount(composition);
    const metals = amounts.reduce((sum, amount) => sum + amount, 0);
    const energy = solidGibbs(composition, formationEnergyPerAtom) + waterShiftOf(phases)(composition);
    const plane = speciesPlane({ phase: 'solid', composition, charge: 0, energy }, {});
    return {
      formula: displayFormula(composition),
      struct_id: structId,
      formation_energy: formationEnergyPerAtom,
      plane: roundPlane(plane, 1 / atoms),
      regions: pourbaixDiagram({ ...system, elements: own }, amounts, window).regions.map((region) => ({
        species: partsOf(region),
        plane: roundPlane(region.plane, metals / atoms),
      })),
    };
  };

  return {
    error: 'false',
    message: '',
    elements: [...elements],
    ratio: [...diagram.ratio],
    concentrations: elements.map((element) => concentrations[element] ?? 0),
    energies,
    temperature: 298.15,
    window: {
      ph_min: POURBAIX_PH.min,
      ph_max: POURBAIX_PH.max,
      potential_min: potential[0],
      potential_max: potential[1],
    },
    water: { hydrogen: 0, oxygen: OXYGEN_POTENTIAL, slope: -VOLTS_PER_PH },
    species: species.map(({ answer }) => answer),
    regions: diagram.regions.map((region) => ({
      species: partsOf(region),
      kind: kindOf(region.species.map((part) => part.species)),
      plane: roundPlane(region.plane),
      corners: region.corners.map(({ x, y, limit }) => ({
        ph: roundTo(x, 9),
        potential: roundTo(y, 9),
        neighbour: limit,
      })),
    })),
    compound: compound && placed(compound),
    missing: missingOf(request),
    ...scale,
  };
}
