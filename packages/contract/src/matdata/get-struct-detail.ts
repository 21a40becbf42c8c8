/** All data of the detail page (spec §2.8, §3 "Material detail"). */
import { place } from '@unitcell/material';
import { z } from 'zod';
import { formula, materialId, spaceGroup, structId, defineCall, unit } from '../common.ts';
import * as address from '../calls.ts';
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
import { potentialValues, predictedValues } from '../prediction/index.ts';
import { PREDICTED_PROPERTIES } from '../prediction/rules.ts';
import { materialRecord, observed, recordComparison, sectionSource, statedGap } from './sources.ts';

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
        oxygen_potential_min: eV.meta(
          unit(
            'eV',
            'Chemical potential of O, against half an O2 of the scale, below which it gives off oxygen; null without O, or further than 0.1 eV/atom above the hull.',
          ),
        ),
        oxygen_potential_max: eV.meta(
          unit(
            'eV',
            'Chemical potential of O above which it takes up oxygen; at most 0. Null, not known, if the database has no oxide of one of its elements.',
          ),
        ),
        decomposition_energy_in_water: eV.meta(
          unit(
            'eV/atom',
            'Energy above the stable solids and ions at pH 7 and 0 V against SHE, 25 °C, 1e-6 mol/l; null with elements without ions, more than three besides O and H, or further than 0.1 eV/atom above the hull.',
          ),
        ),
        decomposition: z
          .array(
            z.object({
              struct_id: materialId,
              formula: text.describe('Formula of the phase.'),
              fraction: z.number().describe('Share of the atoms, 0 to 1.'),
            }),
          )
          .describe('Phases it decomposes into, with the share of the atoms in each.'),
        release: z.int().nullable().describe('Number of the rebuild of the hull; null before the first.'),
        ...withCompleteness,
        expected_error: expectedError
          .optional()
          .describe(
            'Formation energies of the scale minus measured enthalpies, over compounds of one class.',
          ),
        source: z.record(text, z.unknown()).describe('Works and methods of the energy.'),
      }),
    )
    .describe('The energies of this material on every scale; hulls never mix scales.'),
  symmetry_data: z
    .object({
      ...scalars.symmetry_data,
      symprec: z.number().meta(unit('Å', 'Tolerance of the symmetry search.')),
      wyckoffs: z.array(text).describe('Wyckoff positions: multiplicity, letter and element.'),
      multiplicities: z
        .array(z.int())
        .optional()
        .describe(
          'Multiplicity of the Wyckoff position of each site; absent if its setting is not tabulated.',
        ),
      stated: z
        .array(
          z.object({
            ...scalars.symmetry_data,
            tolerance: z.number().meta(unit('Å', 'Requested tolerance.')),
            symprec: z
              .number()
              .meta(unit('Å', 'The nearest tolerance at which the operations form a group.')),
          }),
        )
        .describe('The symmetry at 0.01 and at 0.1 Å; empty for materials stored before it was determined.'),
    })
    .describe('The symmetry.'),
  scale_failures: z
    .array(scaleFailure)
    .optional()
    .describe('Contradictions between experiment and the scale on the order of phases.'),
  run_type: text.describe('Method of the calculation.'),
  calculated_at: text.describe('Date of the calculation; empty if unknown.'),
  vasp_version: text.describe('Program and version; empty if unknown.'),
  potcar_symbols: z.array(text).describe('Pseudopotentials or data sets.'),
  hubbards: z.record(text, z.number()).meta(unit('eV', 'Hubbard U by element.')),
  band_gap_type: text.describe('direct, indirect, or empty if unknown.'),
  decomposition: text.describe('Decomposition products as text.'),
  output_structs: z
    .object({
      jsmol_struct: text.describe('CIF in P 1 with the atoms to draw.'),
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
          'The source’s cell, reduced to a primitive cell; null for materials stored before it was kept.',
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
      band_structures: z.array(bandStructureJson).describe('The data of the diagrams.'),
      densities_of_states: z.array(densityOfStatesJson).describe('The data of the diagrams.'),
    })
    .describe('Band structures and densities of states.'),
  epsilon_piezo: z
    .object({
      has_epsilon: z.boolean().describe('Whether there is a dielectric tensor.'),
      has_piezo: z.boolean().describe('Whether there is a piezoelectric tensor.'),
      epsilon_piezo_data: z
        .object({
          dielectric_property: z
            .object({
              epsilon_tensor: matrix3.describe('Relative permittivity with clamped ions.'),
              epsilon_total_tensor: matrix3
                .nullable()
                .describe(
                  'Relative permittivity including the ions; null if only the electronic part is known.',
                ),
              epsilon_electron: z.number().describe('A third of the trace, clamped ions.'),
              epsilon_total: z
                .number()
                .nullable()
                .describe('A third of the trace, including the ions; null if unknown.'),
              refractive_index: z.number().describe('Square root of epsilon_electron.'),
            })
            .nullable()
            .describe('Relative permittivity; null if unknown.'),
          piezo_total_tensor: piezoelectricTensor
            .nullable()
            .meta(unit('C/m²', 'Piezoelectric tensor, columns in Voigt order xx yy zz yz xz xy.')),
        })
        .describe('The tensors, in the axes of the idealised conventional cell.'),
    })
    .describe('Dielectric and piezoelectric tensors.'),
  tensor_symmetry: z
    .object({
      elastic: z.number().nullable().describe('Deviation of the elastic tensor.'),
      dielectric: z.number().nullable().describe('Deviation of the dielectric tensor.'),
      piezoelectric: z.number().nullable().describe('Deviation of the piezoelectric tensor.'),
    })
    .describe(
      'Deviation of each tensor from the symmetry of its cell: the largest change of a component under the point group as a share of the largest component; null without a tensor. Above 0.1 the tensor and the cell are not in one frame.',
    ),
  elastic_dict: z
    .object({
      has_elastic: z.boolean().describe('Whether there is an elastic tensor.'),
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
        .describe('Quantities derived from the elastic tensor; null without one.'),
    })
    .describe('Elastic tensor and derived quantities.'),
  source: z.object(scalars.source).describe('Origin of the entry.'),
  provenance: z.record(text, z.unknown()).describe('The source’s own description of the entry.'),
  release: z
    .object({
      id: z.int().describe('Number of the last rebuild of derived data, the same in all answers.'),
      date: text.describe('Date of the last rebuild of derived data, YYYY-MM-DD.'),
    })
    .nullable()
    .describe('The release of the catalogue; null before the first with energies of this material.'),
  address: text.describe('Address of its page on this site.'),
  sources: z.array(sectionSource).describe('Origin of each section: a readable form of `provenance`.'),
  band_gaps: z.array(statedGap).describe('Every known gap; the first is the one of lists and headings.'),
  observed: observed.describe('Whether the compound has been synthesised.'),
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
              'Calculated formation energy on the scale of the training data; null if unknown.',
            ),
          ),
          band_gap: eV.meta(unit('eV', 'Calculated band gap of PBE; null if unknown.')),
          bulk_modulus: z
            .number()
            .nullable()
            .meta(unit('GPa', 'Bulk modulus of the calculated tensor; null if unknown.')),
          shear_modulus: z
            .number()
            .nullable()
            .meta(unit('GPa', 'Shear modulus of the calculated tensor; null if unknown.')),
        })
        .describe(
          'Calculated values of the predicted properties: the energy on the scale of the training data, a gap of PBE, moduli of the tensor.',
        ),
      disagreements: z
        .array(z.enum(PREDICTED_PROPERTIES))
        .describe('Properties whose calculated value lies outside the 90 % interval of the prediction.'),
    })
    .nullable()
    .describe(
      'Predictions of the site’s network, neither measured nor calculated; null if there is none or predictions are switched off.',
    ),
  potential: potentialValues
    .nullable()
    .describe(
      'Values of the interatomic potential; null if they were not derived, or if it has no parameters for the crystal.',
    ),
  records: z
    .array(materialRecord)
    .describe('The values of each source of the material; empty with a single source.'),
  comparison: z
    .array(recordComparison)
    .describe('Differences between the sources, by property; empty with a single source.'),
});
export type MaterialDetail = z.infer<typeof materialDetail>;

export const getStructDetail = defineCall(address.getStructDetail, {
  summary: 'One material with its cells, energies, symmetry, properties and provenance',
  request: z.object({ struct_id: structId }),
  answer: materialDetail,
  faults: ['material.not-found'],
  isDetail: true,
});

// Lists on a material's page: its windows, its polymorphs, its chemical system, similar crystals.

/** Limit of rows per list; `count` gives the total. */
export const MOST_RELATED = 8;

const related = z.object({
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  e_above_hull: z
    .number()
    .nullable()
    .meta(
      unit('eV/atom', 'Energy above the hull on the scale of the answer; null if it has no energy there.'),
    ),
});

const alike = related.extend({
  distance: z
    .number()
    .describe('Distance of the two arrangements of atoms: 0 (the same distances up to scale) to 1.'),
});

const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    count: z
      .int()
      .describe('Total number, including those beyond the rows; for `similar` the number of rows.'),
    rows: z.array(row).describe('The first rows, at most eight.'),
  });

export const relatedMaterials = z.object({
  functional: z
    .string()
    .nullable()
    .describe('Scale of the energies and windows; null for a material without energies.'),
  windows: z
    .array(
      z.object({
        working_ion: z.string().describe('Symbol of the working ion.'),
        reduction_onset: z
          .number()
          .meta(unit('V', 'Voltage below which the material is reduced, against the metal of the ion.')),
        oxidation_onset: z
          .number()
          .nullable()
          .meta(
            unit(
              'V',
              'Voltage above which it is oxidised, against the metal of the ion; null: no upper limit.',
            ),
          ),
      }),
    )
    .describe('Electrochemical windows, one per working ion with a window.'),
  polymorphs: listOf(related).describe('Other crystals of the same formula, nearest to the hull first.'),
  same_system: listOf(related).describe(
    'Materials of exactly the same elements with other formulas, nearest to the hull first.',
  ),
  prototype: z
    .string()
    .nullable()
    .describe('Space group and occupied Wyckoff positions: `225:a4 b4`; null if not derived.'),
  same_prototype: listOf(alike).describe(
    'Crystals of the same prototype (equal key, distance at most 0.4), nearest arrangement first.',
  ),
  similar: listOf(alike).describe(
    'Crystals of other prototypes with a similar arrangement of atoms, nearest first.',
  ),
});
export type RelatedMaterials = z.infer<typeof relatedMaterials>;
export type RelatedMaterial = z.infer<typeof related> & Partial<z.infer<typeof alike>>;

export const getRelated = defineCall(address.getRelated, {
  summary: 'Windows, polymorphs, chemical system, prototype and similar structures of a material',
  request: z.object({ struct_id: structId }),
  answer: relatedMaterials,
  faults: ['material.not-found'],
});
