/** Our own JSONL line → draft. */
import { type ImportLine, importLine } from '@unitcell/contract';
import { atomCount, compositionOf, type Structure } from '@unitcell/crystal';
import type { z } from 'zod';
import { type EnergyOnScale, type MaterialDraft, NO_NAMES, RefusedUnit } from './material-draft.ts';

/** The name of the scale of an energy that came without one. */
const UNNAMED_SCALE = 'unspecified';

/** The first complaint of a schema, as `path: what`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'line' : path}: ${issue?.message ?? 'invalid'}`;
}

export const toStructure = (json: ImportLine['structure']): Structure => ({
  latticeVectors: json.lattice.matrix,
  sites: json.sites.map((site) => ({
    species: site.species.map(({ element, occu }) => ({
      element: element === 'D' ? 'H' : element,
      occupancy: occu,
    })),
    fractionalCoords: site.abc,
    ...(site.label === undefined ? {} : { label: site.label }),
  })),
});

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
  const scales = new Set(all.map((energy) => energy.functional));
  if (scales.size < all.length) throw new RefusedUnit('energies: the same functional is given twice');
  return all;
}

/** @throws RefusedUnit when the object is not one of our lines */
export function draftFromImportLine(json: unknown): MaterialDraft {
  const parsed = importLine.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const line = parsed.data;
  const structure = toStructure(line.structure);
  const { elastic_tensor, dielectric, piezoelectric_total, topology, bands, dos } = line;
  return {
    structId: line.struct_id ?? null,
    structure,
    energies: energiesOf(line, atomCount(compositionOf(structure))),
    bandGap: line.band_gap ?? null,
    bandGapType: line.band_gap_type ?? null,
    fermiEnergy: line.efermi ?? null,
    totalMagnetization: line.total_magnetization ?? null,
    isHubbard: line.is_hubbard ?? Object.values(line.hubbards ?? {}).some((u) => u !== 0),
    names: line.names ? { en: line.names.en ?? null, zh: line.names.zh ?? null } : NO_NAMES,
    source: { ...line.source, url: line.source.url ?? null },
    provenance: { ...line.provenance, ...(line.hubbards ? { hubbards: line.hubbards } : {}) },
    properties: { elastic_tensor, dielectric, piezoelectric_total, topology, bands, dos },
  };
}
