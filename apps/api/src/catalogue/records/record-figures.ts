/** Figures of one source that are compared with other sources, and the parts of the source that are shown. */
import { COMPARED_OF_SOURCES, fields } from '@unitcell/material';
import { tensorScalars } from '../../domain/tensors.ts';
import type { StandardMaterial } from '../standardise.ts';
import type { PartName, RecordFigures } from '../../infra/stored-json.ts';

export function recordFigures(record: StandardMaterial, shown: readonly PartName[]): RecordFigures {
  const { dielectric, elastic } = tensorScalars(record.properties.tensors);
  const values: Record<string, number | null | undefined> = {
    volume_per_atom: record.volume / record.nAtoms,
    band_gap: record.bandGap,
    magnetization_per_atom: record.totalMagnetization && record.totalMagnetization / record.nAtoms,
    k_vrh: elastic?.bulk.hill,
    g_vrh: elastic?.shear.hill,
    epsilon_electronic: dielectric?.meanElectronic,
    ...Object.fromEntries(COMPARED_OF_SOURCES.map((name) => [fields[name].column, record[name]])),
    epsilon_total: record.properties.tensors.dielectric?.total && dielectric?.meanTotal,
  };
  for (const { functional, energyPerAtom, formationEnergyPerAtom } of record.energies) {
    values[`formation_energy:${functional}`] = formationEnergyPerAtom;
    values[`energy:${functional}`] = energyPerAtom;
  }
  const known = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return { spaceGroup: record.spaceGroup, values: Object.fromEntries(known), shown };
}
