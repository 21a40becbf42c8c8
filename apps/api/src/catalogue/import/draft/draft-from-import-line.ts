/** Converts a line of our JSONL format to a draft. */
import { type ImportLine, importLine } from '@unitcell/contract/import-line';
import { atomCount, compositionOf, fromPymatgenDict } from '@unitcell/crystal';
import {
  type EnergyOnScale,
  type Given,
  isRecord,
  type MaterialDraft,
  type Properties,
  unplace,
} from '@unitcell/material';
import { assertPhonons } from './phonons-of-material.ts';
import { firstIssue, RefusedUnit } from './refused-unit.ts';
import { UNNAMED_SCALE } from './stated-origin.ts';

/** @throws RefusedUnit when two results have the same functional: a material stores one per functional */
function refuseTwice(what: string, results: readonly { readonly functional: string }[]): void {
  const scales = new Set(results.map(({ functional }) => functional));
  if (scales.size < results.length) throw new RefusedUnit(`${what}: the same functional is given twice`);
}

function energiesOf(line: ImportLine, atoms: number): EnergyOnScale[] {
  const own =
    line.energy === undefined && line.formation_energy_per_atom === undefined
      ? []
      : [
          {
            functional: line.functional ?? UNNAMED_SCALE,
            energy: line.energy,
            formation_energy_per_atom: line.formation_energy_per_atom,
            source: {},
          },
        ];
  const all = [...own, ...line.energies].map((given) => ({
    functional: given.functional,
    energyPerAtom: given.energy === undefined ? null : given.energy / atoms,
    formationEnergyPerAtom: given.formation_energy_per_atom ?? null,
    source: given.source ?? {},
  }));
  refuseTwice('energies', all);
  return all;
}

function propertiesOf(line: ImportLine): Properties<'given'> {
  refuseTwice('bands', line.bands);
  refuseTwice('dos', line.dos);
  refuseTwice('phonons', line.phonons);
  for (const phonons of line.phonons) assertPhonons(phonons, line.structure);
  return {
    bands: line.bands,
    dos: line.dos,
    phonons: line.phonons,
    tensors: {
      frame: 'given',
      elastic: line.elastic_tensor ?? null,
      dielectric: line.dielectric ?? null,
      piezoelectric: line.piezoelectric_total ?? null,
    },
    topology: line.topology ?? null,
  };
}

/** The line without fields that are null, which is the same as leaving them out. Provenance has a free form. */
const withoutNulls = (json: unknown): unknown =>
  isRecord(json)
    ? Object.fromEntries(
        Object.entries(json)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, name === 'provenance' ? value : withoutNulls(value)]),
      )
    : json;

/**
 * @throws RefusedUnit when the object is not a line of our format, CrystalError when its structure is invalid
 */
export function draftFromImportLine(json: unknown): MaterialDraft {
  const parsed = importLine.safeParse(withoutNulls(json));
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const line = parsed.data;
  const structure = fromPymatgenDict(line.structure);
  const given = unplace<'line', Given>('line', line);
  const usesU = Object.values(line.hubbards ?? {}).some((u) => u !== 0);
  return {
    structId: line.struct_id ?? null,
    structure,
    given: { ...given, isHubbard: given.isHubbard || usesU },
    energies: energiesOf(line, atomCount(compositionOf(structure))),
    provenance: { ...line.provenance, ...(line.hubbards ? { hubbards: line.hubbards } : {}) },
    properties: propertiesOf(line),
    ...(line.tensor_frame === 'given' ? {} : { tensorFrame: line.tensor_frame }),
    ...(line.tensors_in_other_axes === 'refuse' ? {} : { leaveOutTensorsOfOtherAxes: true }),
  };
}
