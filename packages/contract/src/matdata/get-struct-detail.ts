/** Everything the detail page shows at once (spec §2.8, §3 "Material detail"). */
import { place } from '@unitcell/material';
import { z } from 'zod';
import { materialId, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import {
  bandStructureJson,
  cellParameters,
  densityOfStatesJson,
  elasticTensor,
  fieldSchemas,
  matrix3,
  piezoelectricTensor,
  structureJson,
} from '../material/result-schemas.ts';
import { expectedError, scaleFailure, withCompleteness } from '../phase-diagram/fields.ts';
import { predictedValues } from '../prediction/index.ts';
import { PREDICTED_PROPERTIES } from '../prediction/rules.ts';
import { materialRecord, recordComparison } from './material-record.ts';
import { observed, sectionSource, statedGap } from './section-source.ts';

const text = z.string();
const eV = z.number().nullable();

const scalars = place('detail', fieldSchemas('detail'));

export const materialDetail = z.object({
  ...scalars,
  names: z.object(scalars.names).describe('Names of the material by language.'),
  elements_type: z.int().describe('Number of different elements.'),
  elements_quantity: z.array(z.number()).describe('Atoms of each of `elements` in the primitive cell.'),
  lattice: cellParameters.describe('The conventional cell.'),
  energies: z
    .object({
      ...scalars.energies,
      energy_per_atom_vdw: eV.meta(
        unit('eV/atom', 'Energy with van der Waals corrections; null when not calculated.'),
      ),
    })
    .describe('Energies on the scale of the entry.'),
  energy_scales: z
    .array(
      z.object({
        functional: text.describe(
          'Name of the energy scale. Energies of different scales are never mixed in one answer.',
        ),
        formation_energy_per_atom: eV.meta(unit('eV/atom', 'Formation energy from the elements.')),
        e_above_hull: eV.meta(unit('eV/atom', 'Energy above the convex hull; 0 is stable.')),
        decomposition: z
          .array(
            z.object({
              struct_id: materialId,
              formula: text.describe('Formula of the phase.'),
              fraction: z.number().describe('Share of the atoms, 0 to 1.'),
            }),
          )
          .describe('Phases it decomposes into, with the share of the atoms in each.'),
        release: z.int().nullable().describe('Number of the rebuild the hull is of; null before the first.'),
        ...withCompleteness,
        expected_error: expectedError
          .optional()
          .describe(
            'Formation energies of the scale minus measured enthalpies, over compounds of one class.',
          ),
        source: z.record(text, z.unknown()).describe('Works and methods the energy is from.'),
      }),
    )
    .describe('Every energy scale known of this material; hulls never mix them.'),
  symmetry_data: z
    .object({
      ...scalars.symmetry_data,
      symprec: z.number().meta(unit('Å', 'Tolerance the symmetry was found with.')),
      wyckoffs: z.array(text).describe('Wyckoff positions: multiplicity, letter and element.'),
      multiplicities: z
        .array(z.int())
        .optional()
        .describe(
          'Multiplicity of the Wyckoff position of each site; absent where its setting is not tabulated.',
        ),
      stated: z
        .array(
          z.object({
            ...scalars.symmetry_data,
            tolerance: z.number().meta(unit('Å', 'Tolerance that was asked for.')),
            symprec: z
              .number()
              .meta(unit('Å', 'The nearest tolerance to it at which the operations form a group.')),
          }),
        )
        .describe(
          'The symmetry found at 0.01 and at 0.1 Å; empty for materials stored before it was looked for.',
        ),
    })
    .describe('The symmetry found.'),
  scale_failures: z
    .array(scaleFailure)
    .optional()
    .describe('Where experiment has one order of phases and the scale another.'),
  run_type: text.describe('Method of the calculation.'),
  calculated_at: text.describe('Day of the calculation; empty when not known.'),
  vasp_version: text.describe('Program and version; empty when not known.'),
  potcar_symbols: z.array(text).describe('Pseudopotentials or data sets.'),
  hubbards: z.record(text, z.number()).meta(unit('eV', 'Hubbard U by element.')),
  band_gap_type: text.describe('direct, indirect, or empty when not known.'),
  decomposition: text.describe('What it decomposes into, as text.'),
  output_structs: z
    .object({
      jsmol_struct: text.describe('CIF in P 1 of the atoms to draw.'),
      output_struct_primitive: text.describe('CIF of the primitive cell, in P 1.'),
      output_struct_conventional: text.describe(
        'CIF of the conventional cell, with space group, operations and asymmetric unit.',
      ),
    })
    .describe('Texts for viewers and files.'),
  structures: z
    .object({
      given: structureJson
        .nullable()
        .describe(
          'As the source gave it, in a primitive cell; null for materials stored before it was kept.',
        ),
      primitive: structureJson.describe('Idealised primitive cell.'),
      conventional: structureJson.describe('Idealised conventional cell; tensors refer to its axes.'),
    })
    .describe('The cells as JSON.'),
  elec_diagram: z
    .object({
      pbe_elec_diagram_display: z
        .enum(['block', 'none'])
        .describe('block: there is a PBE diagram; none: there is none.'),
      pbe_elec_diagram: text.describe('The PBE diagram as SVG; empty without one.'),
      hse_elec_diagram_display: z
        .enum(['block', 'none'])
        .describe('block: there is an HSE diagram; none: there is none.'),
      hse_elec_diagram: text.describe('The HSE diagram as SVG; empty without one.'),
      band_structures: z.array(bandStructureJson).describe('The numbers the diagrams are drawn from.'),
      densities_of_states: z.array(densityOfStatesJson).describe('The numbers the diagrams are drawn from.'),
    })
    .describe('Band structures and densities of states.'),
  epsilon_piezo: z
    .object({
      has_epsilon: z.boolean().describe('There is a dielectric tensor.'),
      has_piezo: z.boolean().describe('There is a piezoelectric tensor.'),
      epsilon_piezo_data: z
        .object({
          dielectric_property: z
            .object({
              epsilon_tensor: matrix3.describe('Relative permittivity with clamped ions.'),
              epsilon_total_tensor: matrix3
                .nullable()
                .describe(
                  'Relative permittivity with the ions; null when only the electronic part is known.',
                ),
              epsilon_electron: z.number().describe('A third of the trace, clamped ions.'),
              epsilon_total: z
                .number()
                .nullable()
                .describe('A third of the trace, with the ions; null when not known.'),
              refractive_index: z.number().describe('Square root of epsilon_electron.'),
            })
            .nullable()
            .describe('Relative permittivity; null when not known.'),
          piezo_total_tensor: piezoelectricTensor
            .nullable()
            .meta(unit('C/m²', 'Piezoelectric tensor, columns in Voigt order xx yy zz yz xz xy.')),
        })
        .describe('The tensors, in the axes of the idealised conventional cell.'),
    })
    .describe('Dielectric and piezoelectric tensors.'),
  tensor_symmetry: z
    .object({
      elastic: z.number().nullable().describe('Of the elastic tensor.'),
      dielectric: z.number().nullable().describe('Of the dielectric tensor.'),
      piezoelectric: z.number().nullable().describe('Of the piezoelectric tensor.'),
    })
    .describe(
      'How far each tensor is from the symmetry of its cell: the largest change of a component under the point group as a share of the largest component; null without a tensor. Beyond 0.1 the two are not in one frame.',
    ),
  elastic_dict: z
    .object({
      has_elastic: z.boolean().describe('There is an elastic tensor.'),
      elastic_tensor: elasticTensor
        .nullable()
        .meta(unit('GPa', 'Elastic tensor, Voigt order xx yy zz yz xz xy.')),
      elastic_property: z
        .object({
          g_voigt: z.number().meta(unit('GPa', 'Shear modulus, Voigt average.')),
          k_voigt: z.number().meta(unit('GPa', 'Bulk modulus, Voigt average.')),
          g_reuss: z.number().meta(unit('GPa', 'Shear modulus, Reuss average.')),
          k_reuss: z.number().meta(unit('GPa', 'Bulk modulus, Reuss average.')),
          g_vrh: z.number().meta(unit('GPa', 'Shear modulus, mean of Voigt and Reuss.')),
          k_vrh: z.number().meta(unit('GPa', 'Bulk modulus, mean of Voigt and Reuss.')),
          universal_anisotropy: z.number().describe('Universal elastic anisotropy index; 0 is isotropic.'),
          homogeneous_poisson: z.number().describe('Poisson ratio of the polycrystal.'),
          y_mod: z.number().meta(unit('GPa', "Young's modulus of the polycrystal.")),
          debye_temperature: z
            .number()
            .nullable()
            .meta(
              unit('K', 'Debye temperature from the speeds of sound; null when the crystal is not stable.'),
            ),
          long_v: z.number().nullable().meta(unit('m/s', 'Longitudinal speed of sound.')),
          trans_v: z.number().nullable().meta(unit('m/s', 'Transverse speed of sound.')),
        })
        .nullable()
        .describe('What follows from the elastic tensor; null without one.'),
    })
    .describe('Elastic tensor and what follows from it.'),
  source: z.object(scalars.source).describe('Where the entry is from.'),
  provenance: z.record(text, z.unknown()).describe('What the source says of the entry, as it says it.'),
  release: z
    .object({
      id: z.int().describe('Number of the last rebuild of derived data, the same in all answers.'),
      date: text.describe('Day of that rebuild, YYYY-MM-DD.'),
    })
    .nullable()
    .describe('The release of the catalogue; null before the first with energies of this material.'),
  address: text.describe('Address of its page on this site.'),
  sources: z.array(sectionSource).describe('Where each part comes from: `provenance` read for people.'),
  band_gaps: z
    .array(statedGap)
    .describe('Every gap known of it; the first is the one of lists and headings.'),
  observed: observed.describe('Whether the compound was made.'),
  predicted: z
    .object({
      model: text.describe(
        'First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.',
      ),
      ...predictedValues.shape,
      calculated: z
        .object({
          formation_energy_per_atom: eV.meta(
            unit(
              'eV/atom',
              'Calculated formation energy on the scale the network learnt; null where not known.',
            ),
          ),
          band_gap: eV.meta(unit('eV', 'Calculated band gap of PBE; null where not known.')),
          bulk_modulus: z
            .number()
            .nullable()
            .meta(unit('GPa', 'Bulk modulus of the calculated tensor; null where not known.')),
          shear_modulus: z
            .number()
            .nullable()
            .meta(unit('GPa', 'Shear modulus of the calculated tensor; null where not known.')),
        })
        .describe(
          'What was calculated of the same: the energy on the scale the network learnt, a gap of PBE, moduli of the tensor.',
        ),
      disagreements: z
        .array(z.enum(PREDICTED_PROPERTIES))
        .describe('Properties whose calculated value lies outside the 90 % interval of the predicted one.'),
    })
    .nullable()
    .describe(
      'What the network of the site says of it, neither measured nor calculated; null where it says nothing or predictions are switched off.',
    ),
  records: z
    .array(materialRecord)
    .describe('What each source says of the material; empty where there is one source.'),
  comparison: z
    .array(recordComparison)
    .describe('How far the sources are apart, by property; empty where there is one source.'),
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
