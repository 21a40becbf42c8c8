/**
 * One line of the import JSONL: one material. docs/operating/import-format.md explains every field. The
 * schema validates imports and describes what `export` writes. Its scalar properties come from the table of
 * fields.
 */
import { place } from '@unitcell/material';
import { z } from 'zod';
import {
  bandStructureJson,
  densityOfStatesJson,
  dielectricTensors,
  elasticTensor,
  fieldSchemas,
  phononsJson,
  piezoelectricTensor,
  structureJson,
  topologyTable,
} from '../material/result-schemas.ts';

const scale = z.string().min(1).max(100);
const freeRecord = z.record(z.string().max(200), z.unknown());
const scalars = place('line', fieldSchemas('line'));

/** Default when a line has no names. */
const NO_NAMES = { en: null, zh: null };

export const importLine = z.object({
  ...scalars,
  names: z.object(scalars.names).prefault(NO_NAMES),
  source: z.object(scalars.source),
  struct_id: z.int().positive().max(1_999_999_999).optional(),
  structure: structureJson,
  energy: z.number().optional().describe('Total energy of the given cell, eV.'),
  formation_energy_per_atom: z.number().optional().describe('eV/atom; takes precedence over `energy`.'),
  functional: scale.optional().describe('Energy scale of `energy` and `energyPerAtom`.'),
  /** Energies on scales other than `functional`. */
  energies: z
    .array(
      z.object({
        functional: scale,
        energy: z.number().optional(),
        formation_energy_per_atom: z.number().optional(),
        source: freeRecord.optional(),
      }),
    )
    .max(20)
    .default([]),
  hubbards: z.record(z.string().max(8), z.number()).optional().describe('U in eV by element.'),
  tensor_frame: z
    .enum(['given', 'conventional', 'ieee'])
    .default('given')
    .describe(
      'The Cartesian axes of tensor components: those of `structure.lattice.matrix`; those of the `conventional` cell of International Tables (a along x, b in the xy plane); or those of ANSI/IEEE 176-1987.',
    ),
  tensors_in_other_axes: z
    .enum(['refuse', 'leave out'])
    .default('refuse')
    .describe(
      'Treatment of a tensor without the symmetry of the crystal in those axes: the line is refused, or imported without the tensor.',
    ),
  elastic_tensor: elasticTensor.optional(),
  dielectric: dielectricTensors.optional(),
  piezoelectric_total: piezoelectricTensor.optional(),
  topology: topologyTable.optional(),
  bands: z.array(bandStructureJson).max(4).default([]),
  dos: z.array(densityOfStatesJson).max(4).default([]),
  phonons: z.array(phononsJson).max(4).default([]),
  provenance: freeRecord.default({}),
});
export type ImportLine = z.infer<typeof importLine>;
