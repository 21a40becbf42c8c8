/**
 * Converts band structures and densities of states written by pymatgen (`BandStructureSymmLine.as_dict`,
 * `CompleteDos.as_dict`) to drafts. The documents either contain their structure or are wrapped in
 * `{material_id, structure, bandstructure, dos}`.
 */
import { structureJson } from '@unitcell/contract/results';
import { atomCount, compositionOf, fromPymatgenDict, type Structure } from '@unitcell/crystal';
import {
  type BandStructure,
  type DensityOfStates,
  type MaterialDraft,
  NO_PROPERTIES,
  NOTHING_GIVEN,
} from '@unitcell/material';
import { norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { mp2020Correction } from '@unitcell/phase-equilibria';
import { z } from 'zod';
import { firstIssue, RefusedUnit } from './refused-unit.ts';
import { functionalIn, UNNAMED_SCALE } from './stated-origin.ts';

/**
 * Converts pymatgen's ComputedStructureEntry, as published by the Materials Project and Alexandria, to a draft.
 * Its `energy` is the uncorrected total energy of the cell; `correction` is added by the correction scheme.
 */
const computedEntry = z.object({
  '@class': z.string().optional(),
  entry_id: z.union([z.string(), z.number()]).nullish(),
  structure: structureJson,
  energy: z.number(),
  correction: z.number().default(0),
  parameters: z
    .object({ run_type: z.string().nullish(), hubbards: z.record(z.string(), z.number()).nullish() })
    .loose()
    .nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

type Entry = z.infer<typeof computedEntry>;

/** GGA and GGA+U energies of the Materials Project after Wang et al. (2021). */
const MP2020_SCALE = 'PBE (MP2020)';
/** eV/atom. Largest difference between a published correction and ours. */
const SAME_CORRECTION = 1e-3;

const oxidationStates = z.record(z.string(), z.number());

/**
 * Energy of the cell and its scale. GGA and GGA+U energies are on one scale after the MP2020 correction. The
 * scheme is recognised by calculating the corrections again; raw entries of the Materials Project are
 * corrected here.
 * @throws RefusedUnit when the correction is of another scheme and the operator named no scale
 */
function energyOf(entry: Entry, structure: Structure, scale: string | undefined) {
  const { energy, correction, parameters } = entry;
  const runType = parameters?.run_type;
  const asGiven = { energy: energy + correction, source: { correction } };
  if (!runType) return { ...asGiven, functional: UNNAMED_SCALE };
  if (runType !== 'GGA' && runType !== 'GGA+U') return { ...asGiven, functional: runType };
  const states = oxidationStates.safeParse(entry.data?.['oxidation_states']);
  const own = mp2020Correction({
    structure,
    hubbards: parameters?.hubbards ?? {},
    ...(states.success ? { oxidationStates: states.data } : {}),
  });
  const atoms = atomCount(compositionOf(structure));
  if ('correction' in own && Math.abs(own.correction - correction) <= SAME_CORRECTION * atoms)
    return { ...asGiven, functional: MP2020_SCALE };
  const isRaw = correction === 0 && /^(?:mp|mvc)-/.test(String(entry.entry_id ?? ''));
  if ('correction' in own && isRaw)
    return {
      energy: energy + own.correction,
      functional: MP2020_SCALE,
      source: { correction: own.correction, scheme: 'MP2020, calculated at import' },
    };
  if (scale === undefined)
    throw new RefusedUnit(
      `its correction of ${correction} eV is not that of MP2020 (${'reason' in own ? own.reason : `${own.correction.toFixed(3)} eV`}): if it is of another scheme, name its energy scale with --scale NAME`,
    );
  return { ...asGiven, functional: UNNAMED_SCALE };
}

export const isComputedEntry = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'structure' in json &&
  ('entry_id' in json || /ComputedStructureEntry/.test(String((json as { '@class'?: unknown })['@class'])));

/** @throws RefusedUnit when the object is not such an entry, CrystalError when its structure is invalid */
export function draftFromComputedEntry(json: unknown, scale?: string): MaterialDraft {
  const parsed = computedEntry.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const entry = parsed.data;
  const structure = fromPymatgenDict(entry.structure);
  const hubbards = entry.parameters?.hubbards ?? {};
  const data = entry.data ?? {};
  const { energy, functional, source } = energyOf(entry, structure, scale);
  return {
    structId: null,
    structure,
    energies: [
      {
        functional,
        energyPerAtom: energy / atomCount(compositionOf(structure)),
        formationEnergyPerAtom: null,
        source,
      },
    ],
    given: {
      ...NOTHING_GIVEN,
      bandGap: numberOf(data.band_gap) ?? numberOf(data.bandgap),
      fermiEnergy: numberOf(data.efermi),
      totalMagnetization: numberOf(data.total_magnetization),
      isHubbard: Object.values(hubbards).some((u) => u !== 0),
      sourceName: 'ComputedStructureEntry',
      sourceId: String(entry.entry_id ?? ''),
    },
    provenance: { run_type: entry.parameters?.run_type ?? null, hubbards },
    properties: NO_PROPERTIES,
  };
}

const vector = z.tuple([z.number(), z.number(), z.number()]);
const spins = <Value extends z.ZodType>(value: Value) => z.object({ '1': value, '-1': value.optional() });

const bandsDict = z.object({
  '@class': z.literal('BandStructureSymmLine'),
  structure: structureJson.optional(),
  /** Rows are reciprocal lattice vectors, 1/Å, including 2π. */
  lattice_rec: z.object({ matrix: z.tuple([vector, vector, vector]) }),
  efermi: z.number(),
  kpoints: z.array(vector).min(1),
  /** One list per band. */
  bands: spins(z.array(z.array(z.number())).min(1)),
  labels_dict: z.record(z.string(), vector),
  branches: z.array(z.object({ start_index: z.int(), end_index: z.int() }).loose()).min(1),
  band_gap: z.object({ energy: z.number() }).loose().optional(),
});
const densities = z.object({ densities: spins(z.array(z.number())) });
const dosDict = z.object({
  '@class': z.literal('CompleteDos'),
  structure: structureJson.optional(),
  efermi: z.number(),
  energies: z.array(z.number()).min(2),
  densities: spins(z.array(z.number())),
  /** By site and orbital. */
  pdos: z.array(z.record(z.string(), densities)).default([]),
});
const wrapper = z.object({
  material_id: z.string().optional(),
  structure: structureJson.optional(),
  bandstructure: bandsDict.optional(),
  dos: dosDict.optional(),
});

const classOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null ? (json as { '@class'?: unknown })['@class'] : undefined;
const isOne = (json: unknown): boolean =>
  classOf(json) === 'BandStructureSymmLine' || classOf(json) === 'CompleteDos';

export const isPymatgenElectrons = (json: unknown): boolean =>
  isOne(json) ||
  (typeof json === 'object' &&
    json !== null &&
    Object.entries(json).some(([key, value]) => (key === 'bandstructure' || key === 'dos') && isOne(value)));

/** Bands by k-point (transposed). */
const transposed = (bands: readonly (readonly number[])[], points: number): number[][] =>
  Array.from({ length: points }, (_, k) => bands.map((band) => band[k]!));

function bandsOf(dict: z.infer<typeof bandsDict>, functional: string): BandStructure {
  const { kpoints, bands, branches } = dict;
  for (const channel of Object.values(bands))
    if (channel?.some((band) => band.length !== kpoints.length))
      throw new RefusedUnit(`bands: a band does not have ${kpoints.length} energies, one per k-point`);
  const reciprocalLattice = dict.lattice_rec.matrix;
  const kDistance: number[] = [];
  const labels: { index: number; label: string }[] = [];
  const near = (a: Vec3, b: Vec3): boolean => norm3(subtract3(a, b)) < 1e-6;
  const name = (index: number): void => {
    const label = Object.entries(dict.labels_dict).find(([, at]) => near(at, kpoints[index]!))?.[0];
    if (label !== undefined) labels.push({ index, label });
  };
  let distance = 0;
  for (const { start_index: start, end_index: end } of branches) {
    if (start !== kDistance.length || end < start || end >= kpoints.length)
      throw new RefusedUnit('branches: expected consecutive ranges of k-points');
    name(start);
    for (let k = start; k <= end; k++) {
      if (k > start)
        distance += norm3(rowTimesMatrix3(subtract3(kpoints[k]!, kpoints[k - 1]!), reciprocalLattice));
      kDistance.push(distance);
    }
    if (end > start) name(end);
  }
  if (kDistance.length !== kpoints.length)
    throw new RefusedUnit(`branches: ${kDistance.length} of ${kpoints.length} k-points are in them`);
  return {
    functional,
    kPoints: kpoints,
    labels,
    kDistance,
    spinUp: transposed(bands['1'], kpoints.length),
    ...(bands['-1'] ? { spinDown: transposed(bands['-1'], kpoints.length) } : {}),
    fermiEnergy: dict.efermi,
    reciprocalLattice,
  };
}

function dosOf(dict: z.infer<typeof dosDict>, structure: Structure, functional: string): DensityOfStates {
  const { energies } = dict;
  const [up, down] = [dict.densities['1'], dict.densities['-1']];
  const projected: Record<string, number[]> = {};
  const add = (name: string, values: readonly number[]): void => {
    const sum = (projected[name] ??= energies.map(() => 0));
    for (let i = 0; i < sum.length; i++) sum[i]! += values[i] ?? 0;
  };
  for (const [site, orbitals] of dict.pdos.entries()) {
    const element = structure.sites[site]?.species[0]?.element;
    if (element === undefined) throw new RefusedUnit(`pdos: there is no site ${site}`);
    // px, dxy and dx2 are summed into p and d.
    for (const [orbital, { densities: own }] of Object.entries(orbitals)) {
      add(`${element} ${orbital[0]}${down ? ' up' : ''}`, own['1']);
      if (own['-1']) add(`${element} ${orbital[0]} down`, own['-1']);
    }
  }
  if (up.length !== energies.length)
    throw new RefusedUnit(`densities: ${up.length} of ${energies.length} energies`);
  return {
    functional,
    energies,
    total: up,
    ...(down ? { totalDown: down } : {}),
    ...(Object.keys(projected).length > 0 ? { projected } : {}),
    fermiEnergy: dict.efermi,
  };
}

/** @throws RefusedUnit, CrystalError */
export function draftFromPymatgenElectrons(json: unknown, scale: string | undefined): MaterialDraft {
  const document = isOne(json) ? { [classOf(json) === 'CompleteDos' ? 'dos' : 'bandstructure']: json } : json;
  const parsed = wrapper.safeParse(document);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const { bandstructure, dos, material_id: id } = parsed.data;
  const given = parsed.data.structure ?? bandstructure?.structure ?? dos?.structure;
  if (given === undefined)
    throw new RefusedUnit(
      'structure: neither the bands nor the density of states contain it: write {"material_id", "structure", "bandstructure", "dos"}',
    );
  const functional = scale === undefined ? undefined : functionalIn(scale);
  if (functional === undefined)
    throw new RefusedUnit(
      'the file does not state the functional: pass it with --scale, such as --scale PBE',
    );
  const structure = fromPymatgenDict(given);
  const gap = bandstructure?.band_gap?.energy;
  return {
    structId: null,
    structure,
    energies: [],
    given: {
      ...NOTHING_GIVEN,
      ...(gap === undefined ? {} : { bandGap: Math.max(0, gap) }),
      fermiEnergy: bandstructure?.efermi ?? dos?.efermi ?? null,
      sourceName: 'pymatgen',
      sourceId: id ?? '',
    },
    provenance: { functional },
    properties: {
      ...NO_PROPERTIES,
      bands: bandstructure ? [bandsOf(bandstructure, functional)] : [],
      dos: dos ? [dosOf(dos, structure, functional)] : [],
    },
  };
}
