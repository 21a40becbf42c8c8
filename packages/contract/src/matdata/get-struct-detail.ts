/** Everything the detail page shows at once (spec §2.8, §3 "Material detail"). */
import { place } from '@unitcell/material';
import { z } from 'zod';
import { structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { expectedError, scaleFailure, withCompleteness } from '../phase-diagram/fields.ts';
import { fieldSchemas } from '../material/field-schemas.ts';
import {
  bandStructureJson,
  densityOfStatesJson,
  elasticTensor,
  matrix3,
  piezoelectricTensor,
  structureJson,
} from '../material/result-schemas.ts';
import { PREDICTED_PROPERTIES, predictedValues } from '../prediction/predicted-values.ts';
import { materialRecord, recordComparison } from './material-record.ts';
import { observed, sectionSource, statedGap } from './section-source.ts';

const text = z.string();
const eV = z.number().nullable();

const scalars = place('detail', fieldSchemas('detail'));

export const materialDetail = z.object({
  ...scalars,
  names: z.object(scalars.names),
  elements_type: z.int(),
  /** Atoms of each of `elements` in the primitive cell. */
  elements_quantity: z.array(z.number()),
  /** Conventional cell: Å, degrees, Å³. */
  lattice: z.object({
    a: z.number(),
    b: z.number(),
    c: z.number(),
    alpha: z.number(),
    beta: z.number(),
    gamma: z.number(),
    volume: z.number(),
  }),
  energies: z.object({ ...scalars.energies, energy_per_atom_vdw: eV }),
  /** Every energy scale known of this material; hulls never mix them. */
  energy_scales: z.array(
    z.object({
      functional: text,
      formation_energy_per_atom: eV,
      e_above_hull: eV,
      decomposition: z.array(z.object({ struct_id: z.int(), formula: text, fraction: z.number() })),
      release: z.int().nullable(),
      ...withCompleteness,
      expected_error: expectedError.optional(),
      source: z.record(text, z.unknown()),
    }),
  ),
  symmetry_data: z.object({
    ...scalars.symmetry_data,
    /** Å, the tolerance the symmetry was found with. */
    symprec: z.number(),
    wyckoffs: z.array(text),
    /** Multiplicity of the Wyckoff position of each site; absent where its setting is not tabulated. */
    multiplicities: z.array(z.int()).optional(),
    /** The symmetry found at 0.01 and at 0.1 Å; empty for materials stored before it was looked for. */
    stated: z.array(
      z.object({
        ...scalars.symmetry_data,
        /** Å, asked for. */
        tolerance: z.number(),
        /** Å, the nearest to it at which the operations form a group. */
        symprec: z.number(),
      }),
    ),
  }),
  /** Where a scale contradicts experiment about this composition. */
  scale_failures: z.array(scaleFailure).optional(),
  run_type: text,
  calculated_at: text,
  vasp_version: text,
  potcar_symbols: z.array(text),
  hubbards: z.record(text, z.number()),
  band_gap_type: text,
  decomposition: text,
  output_structs: z.object({
    /** CIF text in P1 of the atoms to draw. */
    jsmol_struct: text,
    /** CIF texts: the primitive cell in P1, the conventional one with its symmetry. */
    output_struct_primitive: text,
    output_struct_conventional: text,
  }),
  structures: z.object({
    /** As the source gave it, in a primitive cell; null for materials stored before it was kept. */
    given: structureJson.nullable(),
    /** Idealised, in one frame; tensors refer to its axes. */
    primitive: structureJson,
    conventional: structureJson,
  }),
  elec_diagram: z.object({
    pbe_elec_diagram_display: z.enum(['block', 'none']),
    pbe_elec_diagram: text,
    hse_elec_diagram_display: z.enum(['block', 'none']),
    hse_elec_diagram: text,
    /** The numbers the diagrams were drawn from. */
    band_structures: z.array(bandStructureJson),
    densities_of_states: z.array(densityOfStatesJson),
  }),
  epsilon_piezo: z.object({
    has_epsilon: z.boolean(),
    has_piezo: z.boolean(),
    epsilon_piezo_data: z.object({
      dielectric_property: z
        .object({
          epsilon_tensor: matrix3,
          /** null when only the electronic part is known. */
          epsilon_total_tensor: matrix3.nullable(),
          epsilon_electron: z.number(),
          epsilon_total: z.number().nullable(),
          refractive_index: z.number(),
        })
        .nullable(),
      /** C/m² */
      piezo_total_tensor: piezoelectricTensor.nullable(),
    }),
  }),
  /**
   * How far each tensor is from the symmetry of its cell: the largest change of a component under the point group as a share
   * of the largest component; null without a tensor. Beyond 0.1 the two are not in one frame.
   */
  tensor_symmetry: z.object({
    elastic: z.number().nullable(),
    dielectric: z.number().nullable(),
    piezoelectric: z.number().nullable(),
  }),
  elastic_dict: z.object({
    has_elastic: z.boolean(),
    /** GPa, Voigt order xx yy zz yz xz xy */
    elastic_tensor: elasticTensor.nullable(),
    /** GPa, K and m/s */
    elastic_property: z
      .object({
        g_voigt: z.number(),
        k_voigt: z.number(),
        g_reuss: z.number(),
        k_reuss: z.number(),
        g_vrh: z.number(),
        k_vrh: z.number(),
        universal_anisotropy: z.number(),
        homogeneous_poisson: z.number(),
        y_mod: z.number(),
        debye_temperature: z.number().nullable(),
        long_v: z.number().nullable(),
        trans_v: z.number().nullable(),
      })
      .nullable(),
  }),
  source: z.object(scalars.source),
  provenance: z.record(text, z.unknown()),
  /** Release of derived data the energies come from. */
  release: z.object({ id: z.int(), date: text }).nullable(),
  /** Address of its page on this site. */
  address: text,
  /** Where each part comes from: `provenance` read for people. */
  sources: z.array(sectionSource),
  /** Every gap known of it; the first is the one of lists and headings. */
  band_gaps: z.array(statedGap),
  observed,
  /** What the site's network says of it, beside what was calculated on the scale it learnt; null where it says nothing. */
  predicted: z
    .object({
      /** SHA-256 of the weights, shortened. */
      model: text,
      ...predictedValues.shape,
      /** On the scale the network learnt (energy), of PBE (gap); null where not known. */
      calculated: z.object({
        formation_energy_per_atom: eV,
        band_gap: eV,
        bulk_modulus: z.number().nullable(),
        shear_modulus: z.number().nullable(),
      }),
      /** Properties whose calculated value lies outside the 90 % interval. */
      disagreements: z.array(z.enum(PREDICTED_PROPERTIES)),
    })
    .nullable(),
  /** What each source says, and how far they are apart; empty where there is one source. */
  records: z.array(materialRecord),
  comparison: z.array(recordComparison),
});
export type MaterialDetail = z.infer<typeof materialDetail>;

export const getStructDetail = defineCall({
  name: 'getStructDetail',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_struct_detail/',
  summary: 'One material with its cells, energies, symmetry, properties and provenance',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId }),
  answer: materialDetail,
  refusals: [],
  faults: ['material.not-found'],
});
