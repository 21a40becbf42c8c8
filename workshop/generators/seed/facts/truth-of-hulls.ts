/** Hulls and electrochemical windows of the seed against those from all facts on the same scale. */
import { atomCount, chemicalSystem, type Composition, parseFormula } from '@unitcell/crystal';
import {
  buildHull,
  electrochemicalWindow,
  energyAboveHull,
  missingPhases,
  parseKnownPhases,
  type PhaseEntry,
  WORKING_ION_CHARGES,
} from '@unitcell/phase-equilibria';
import type { Compound } from '../compound.ts';
import { readStableCompositions } from '../seed-files.ts';
import { completeEnergies } from './complete-energies.ts';
import { compareRows, type Truth } from './truth.ts';

/** V */
const WINDOW_TOLERANCE = 0.05;
/** eV/atom */
const HULL_TOLERANCE = 0.005;
/** V; beyond this the oxide or salt only lacks a competitor, so limits there are compared as "none". */
const NO_LIMIT = 20;

type Systems = ReadonlyMap<string, readonly PhaseEntry[]>;

/** All subsets of the elements, as system names. */
const subsystems = (elements: readonly string[]): string[] =>
  elements.reduce<string[]>(
    (names, element) => [...names, element, ...names.map((name) => `${name}-${element}`)],
    [],
  );

const entriesIn = (systems: Systems, elements: readonly string[]): PhaseEntry[] =>
  subsystems(elements).flatMap((system) => systems.get(system) ?? []);

function bySystem(
  entries: readonly { id: string; composition: Composition; perAtom: number }[],
): Map<string, PhaseEntry[]> {
  const systems = new Map<string, PhaseEntry[]>();
  for (const { id, composition, perAtom } of entries) {
    const system = chemicalSystem(composition);
    const entry = { id, composition, energy: perAtom * atomCount(composition) };
    systems.set(system, [...(systems.get(system) ?? []), entry]);
  }
  return systems;
}

function windowOf(entries: readonly PhaseEntry[], composition: Composition, ion: string): readonly number[] {
  const { reductionOnsetV, oxidationOnsetV } = electrochemicalWindow(buildHull(entries), composition, ion);
  return [reductionOnsetV, oxidationOnsetV ?? NO_LIMIT];
}

const volts = (window: readonly number[]): string =>
  window.map((value) => (value >= NO_LIMIT ? 'none' : value.toFixed(2))).join(' to ');

/** Completeness, hull distances and windows. */
export function truthOfHulls(folder: string, compounds: readonly Compound[]): readonly Truth[] {
  const rows = compounds.map((compound) => {
    const composition = parseFormula(compound.formula);
    return { compound, composition, elements: Object.keys(composition).sort() };
  });
  const withEnergy = rows.filter(({ compound }) => compound.formationEnergyPbe !== undefined);
  const seed = bySystem(
    withEnergy.map(({ compound, composition }) => ({
      id: String(compound.structId),
      composition,
      perAtom: compound.formationEnergyPbe!,
    })),
  );
  const complete = new Map(seed);
  for (const [system, states] of completeEnergies(folder))
    complete.set(system, [
      ...(seed.get(system) ?? []),
      ...states.map(({ formula, composition, energyPerAtom }) => ({
        id: formula,
        composition,
        energy: energyPerAtom * atomCount(composition),
      })),
    ]);

  const known = parseKnownPhases(readStableCompositions());
  const present = withEnergy.map(({ compound, composition }) => ({
    composition,
    formationEnergyPerAtom: compound.formationEnergyPbe!,
  }));
  const systems = new Map(
    rows.filter(({ elements }) => elements.length > 1).map(({ elements }) => [elements.join('-'), elements]),
  );
  const completeness = compareRows(
    'chemical systems complete',
    'compositions stable in the Materials Project of 2018',
    systems.values(),
    (elements) => {
      const missing = missingPhases(known, elements, present);
      return missing.length === 0
        ? ''
        : `${elements.join('-')} lacks ${missing.map(({ formula, heldAbove }) => (heldAbove === null ? formula : `${formula} (deeper)`)).join(', ')}`;
    },
  );

  const compoundsOnly = withEnergy.filter(({ elements }) => elements.length > 1);
  const heights = compareRows(
    'energy above hull, PBE (MP 2018)',
    `hull of all facts on that scale, ${HULL_TOLERANCE * 1000} meV/atom`,
    compoundsOnly,
    ({ compound, composition, elements }) => {
      const entry = { composition, energy: compound.formationEnergyPbe! * atomCount(composition) };
      const [ours, theirs] = [seed, complete].map((set) =>
        energyAboveHull(buildHull(entriesIn(set, elements)), entry),
      ) as [number, number];
      return Math.abs(ours - theirs) < HULL_TOLERANCE
        ? ''
        : `${compound.structId} ${compound.formula}: ${(1000 * ours).toFixed(0)} here, ${(1000 * theirs).toFixed(0)} meV/atom in the complete set`;
    },
  );

  const ions = compoundsOnly.flatMap((row) =>
    row.elements.filter((element) => element in WORKING_ION_CHARGES).map((ion) => ({ ...row, ion })),
  );
  const lacks = ({ elements, ion }: (typeof ions)[number]): boolean =>
    missingPhases(known, [...elements, ion], present).length > 0;
  const windowsOf = (label: string, of: typeof ions): Truth =>
    compareRows(label, `windows from all facts on that scale, ${WINDOW_TOLERANCE} V`, of, windowDifference);
  const windowDifference = ({ compound, composition, elements, ion }: (typeof ions)[number]): string => {
    const [ours, theirs] = [seed, complete].map((set) =>
      windowOf(entriesIn(set, elements), composition, ion),
    ) as [readonly number[], readonly number[]];
    return ours.every((value, limit) => Math.abs(value - theirs[limit]) < WINDOW_TOLERANCE)
      ? ''
      : `${compound.structId} ${compound.formula} against ${ion}: ${volts(ours)} V here, ${volts(theirs)} V in the complete set`;
  };
  return [
    completeness,
    heights,
    windowsOf(
      'electrochemical windows in complete systems',
      ions.filter((row) => !lacks(row)),
    ),
    windowsOf('electrochemical windows labelled "not complete"', ions.filter(lacks)),
  ];
}
