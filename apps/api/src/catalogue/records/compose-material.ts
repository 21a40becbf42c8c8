/**
 * Combines the records of several sources for one crystal into the material shown in lists, hulls and files.
 * Each part comes from the source with the highest priority, energies from the lowest entry of each scale.
 * Pure.
 */
import { fromCompactCell } from '@unitcell/crystal';
import {
  type CrystalFieldName,
  densityOfCells,
  type EnergyFieldName,
  type EnergyOnScale,
  type FieldName,
  fieldOf,
  GIVEN_NUMBERS,
  type Given,
  type GivenName,
  isRecord,
  placedNames,
  propertyFlags,
  type Scalars,
} from '@unitcell/material';
import { type Mat3, multiply3, rowTimesMatrix3, transpose3 } from '@unitcell/numerics';
import { matchStructures } from '@unitcell/symmetry';
import { rotateTensors } from '../../domain/tensors.ts';
import type { PartName } from '../../infra/stored-json.ts';
import type { StandardMaterial } from '../standardise.ts';
import { scalarsOfTensors } from '../tensors-of-draft.ts';
import {
  type Part,
  phononsKey,
  provenanceKey,
  rankOf,
  type SourceOrder,
  statedOrigin,
} from './source-order.ts';

export interface ComposedMaterial {
  readonly material: StandardMaterial;
  /** For each record, its parts that are shown. */
  readonly shown: readonly (readonly PartName[])[];
}

/**
 * Rotation from the axes of one record's cell to those of another record's cell. It is found by matching the
 * atoms; if they do not match, it comes from the idealised cells.
 */
function rotationBetween(from: StandardMaterial, to: StandardMaterial): Mat3 {
  const match = matchStructures(fromCompactCell(from.given), fromCompactCell(to.given));
  return match?.rotation ?? multiply3(transpose3(to.rotation), from.rotation);
}

const citation = ({ sourceName, sourceId, sourceLicence, sourceUrl }: StandardMaterial) => ({
  licence: sourceLicence,
  ...(sourceUrl === null ? {} : { url: sourceUrl }),
  name: `${sourceName} ${sourceId}`.trim(),
});

/** Top-level provenance keys that describe the run behind all parts. */
const RUN = ['engine_version', 'functional', 'run_type', 'code', 'cutoff', 'k_mesh', 'smearing'];

/** The provenance entry of a part, complete enough to be shown next to entries of other sources. */
function attributed(record: StandardMaterial, part: Part): object {
  const entry = statedOrigin(record.provenance, part);
  const { name, ...rest } = citation(record);
  const run = Object.fromEntries(Object.entries(record.provenance).filter(([key]) => RUN.includes(key)));
  if (isRecord(entry)) return { source: name, ...rest, ...entry };
  return typeof entry === 'string' ? { source: entry, ...rest } : { source: name, ...rest, ...run };
}

/** Whether `a` has the lower energy: formation energies if both have one, otherwise total energies per atom. */
function isLower(a: EnergyOnScale, b: EnergyOnScale): boolean {
  if (a.formationEnergyPerAtom !== null && b.formationEnergyPerAtom !== null)
    return a.formationEnergyPerAtom < b.formationEnergyPerAtom;
  return a.energyPerAtom !== null && b.energyPerAtom !== null && a.energyPerAtom < b.energyPerAtom;
}

/** @param records in order of arrival */
export function composeMaterial(records: readonly StandardMaterial[], order: SourceOrder): ComposedMaterial {
  const shown = records.map((): PartName[] => []);
  const ranked = (part: Part): StandardMaterial[] =>
    [...records].sort((a, b) => rankOf(a, part, order) - rankOf(b, part, order));
  const take = (record: StandardMaterial, part: PartName): void => {
    shown[records.indexOf(record)]!.push(part);
  };
  const primary = ranked('structure')[0]!;
  take(primary, 'structure');
  const provenance: Record<string, unknown> = { ...primary.provenance };
  const rotations = new Map<StandardMaterial, Mat3>();
  const rotationOf = (record: StandardMaterial): Mat3 => {
    const rotation = rotations.get(record) ?? rotationBetween(record, primary);
    rotations.set(record, rotation);
    return rotation;
  };

  /** Takes the part from the best record that has it, and records its origin. */
  function best<T>(
    from: Part,
    part: PartName,
    of: (record: StandardMaterial) => T | null,
  ): { readonly value: T; readonly record: StandardMaterial } | null {
    for (const record of ranked(from)) {
      const value = of(record);
      if (value === null) continue;
      take(record, part);
      if (record !== primary) provenance[provenanceKey(from)] = attributed(record, from);
      return { value, record };
    }
    return null;
  }
  const first = <T>(of: (record: StandardMaterial) => T | null): T | null =>
    [primary, ...records].map(of).find((value) => value !== null) ?? null;

  const tensor = <K extends 'elastic' | 'dielectric' | 'piezoelectric'>(from: Part, kind: K) => {
    const found = best(from, kind, ({ properties }) => properties.tensors[kind]);
    if (!found) return null;
    const { tensors } = found.record.properties;
    return found.record === primary
      ? tensors[kind]
      : rotateTensors(tensors, rotationOf(found.record), 'given')[kind];
  };
  const functionals = (
    of: (record: StandardMaterial) => readonly { readonly functional: string }[],
  ): string[] =>
    [...new Set(records.flatMap((record) => of(record).map(({ functional }) => functional)))].sort();

  const bands = functionals(({ properties }) => properties.bands).flatMap((functional) => {
    const found = best(
      'electronic',
      `bands:${functional}`,
      ({ properties }) => properties.bands.find((one) => one.functional === functional) ?? null,
    );
    if (!found) return [];
    const { reciprocalLattice } = found.value;
    if (found.record === primary || !reciprocalLattice) return [found.value];
    const rotation = transpose3(rotationOf(found.record));
    const [b1, b2, b3] = reciprocalLattice;
    return [
      {
        ...found.value,
        reciprocalLattice: [
          rowTimesMatrix3(b1, rotation),
          rowTimesMatrix3(b2, rotation),
          rowTimesMatrix3(b3, rotation),
        ] as const,
      },
    ];
  });
  const dos = functionals(({ properties }) => properties.dos).flatMap((functional) => {
    const found = best(
      'electronic',
      `dos:${functional}`,
      ({ properties }) => properties.dos.find((one) => one.functional === functional) ?? null,
    );
    if (!found) return [];
    return [densityOfCells(found.value, primary.given.species.length / found.record.given.species.length)];
  });

  const phonons = functionals(({ properties }) => properties.phonons).flatMap((functional) => {
    const found = best(
      'phonons',
      `phonons:${functional}`,
      ({ properties }) => properties.phonons.find((one) => one.functional === functional) ?? null,
    );
    if (!found) return [];
    // Each spectrum may come from another source.
    provenance[phononsKey(functional)] = attributed(found.record, 'phonons');
    return [found.value];
  });

  /** The shown value of each field, chosen among the values of all sources by the rules in the table of fields. */
  function givenOfAll(): Given;
  function givenOfAll(): object {
    const given: Partial<Record<FieldName, unknown>> = {};
    const shownOf = new Map<string, StandardMaterial>();
    for (const name of GIVEN_NUMBERS) {
      const found = best(name, name, (record) => record[name]);
      if (found) shownOf.set(name, found.record);
      // The provenance of the number's section may now come from another record.
      const isOfOther = statedOrigin(provenance, name) !== statedOrigin(primary.provenance, name);
      if (found?.record === primary && isOfOther) provenance[provenanceKey(name)] = attributed(primary, name);
      const field = fieldOf(name);
      const isOfCell = field.kind === 'number' && field.per === 'cell';
      given[name] =
        found && isOfCell ? (found.value * primary.nAtoms) / found.record.nAtoms : (found?.value ?? null);
    }
    for (const name of placedNames('line') as readonly GivenName[]) {
      const field = fieldOf(name);
      if (!('ofSeveral' in field)) continue;
      const { ofSeveral } = field;
      if (ofSeveral === 'primary') given[name] = primary[name];
      else if (ofSeveral === 'first') given[name] = first((record) => record[name]);
      else if (ofSeveral === 'any') given[name] = records.some((record) => record[name]);
      else given[name] = shownOf.get(ofSeveral.with)?.[name] ?? null;
    }
    return given;
  }
  const given = givenOfAll();

  const byEnergy = ranked('formation_energy');
  const scales = [
    ...new Set([primary, ...byEnergy].flatMap(({ energies }) => energies.map((e) => e.functional))),
  ];
  const energies = scales.map((functional): EnergyOnScale => {
    const entries = [primary, ...byEnergy.filter((record) => record !== primary)].flatMap((record) =>
      record.energies
        .filter((energy) => energy.functional === functional)
        .map((energy) => ({ record, energy })),
    );
    const lowest = entries.reduce((low, entry) => (isLower(entry.energy, low.energy) ? entry : low));
    take(lowest.record, `energy:${functional}`);
    if (functional === scales[0]) {
      // Hubbard U values come from the record of the shown energy. Another record may be on a scale with U.
      provenance.hubbards = lowest.record.provenance.hubbards;
      if (lowest.record !== primary)
        provenance.formation_energy = attributed(lowest.record, 'formation_energy');
    }
    const { source } = lowest.energy;
    const isNamed = lowest.record === primary || typeof source.name === 'string';
    const statement = lowest.record.provenance.formation_energy;
    const { name, ...rest } = citation(lowest.record);
    return {
      ...lowest.energy,
      source: isNamed
        ? source
        : { ...source, name: typeof statement === 'string' ? statement : name, ...rest },
    };
  });

  const properties = {
    bands,
    dos,
    phonons,
    tensors: {
      frame: 'given' as const,
      elastic: tensor('elastic_tensor', 'elastic'),
      dielectric: tensor('dielectric', 'dielectric'),
      piezoelectric: tensor('piezoelectric_total', 'piezoelectric'),
    },
    topology: best('topology', 'topology', (record) => record.properties.topology)?.value ?? null,
  };
  const made = records.find(({ observed }) => observed === 'observed');
  for (const key of ['band_gap_experiment', 'scale_failures', 'density'])
    provenance[key] ??= first((record) => record.provenance[key] ?? null) ?? undefined;
  if (made && primary.observed !== 'observed') provenance.observed = made.provenance.observed;
  /** All fields except those of the cell, which come from the primary record. */
  const scalars: Omit<Scalars, 'structId' | CrystalFieldName | EnergyFieldName> = {
    ...given,
    ...propertyFlags(properties),
    ...scalarsOfTensors(properties.tensors, provenance.elastic_tensor),
    observed: made?.observed ?? primary.observed,
  };
  const material: StandardMaterial = {
    ...primary,
    ...scalars,
    energies,
    provenance: Object.fromEntries(Object.entries(provenance).filter(([, value]) => value !== undefined)),
    properties,
  };
  return { material, shown };
}
