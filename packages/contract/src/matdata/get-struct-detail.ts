/** Everything the detail page shows at once (spec §2.8, §3 "Material detail"). */
import { z } from 'zod';
import { outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { examples } from './get-struct-detail.examples.ts';

const text = z.string();
const eV = z.number().nullable();
const matrix = z.array(z.array(z.number()));

/** A crystal as JSON: the form of our import and export (`abc` fractional, `matrix` rows in Å). */
export const structureJson = z.object({
  lattice: z.object({ matrix }),
  sites: z.array(
    z.object({
      species: z.array(z.object({ element: text, occu: z.number() })),
      abc: z.array(z.number()),
    }),
  ),
});
export type StructureJson = z.infer<typeof structureJson>;

/** The numbers behind a band diagram. Energies in eV, `kDistance` in 1/Å. */
export const bandStructureJson = z.object({
  functional: text,
  kPoints: matrix,
  labels: z.array(z.object({ index: z.int(), label: text })),
  kDistance: z.array(z.number()),
  /** One list of band energies per k-point. */
  spinUp: matrix,
  spinDown: matrix.optional(),
  fermiEnergy: z.number(),
  reciprocalLattice: matrix.optional(),
});
export type BandStructureJson = z.infer<typeof bandStructureJson>;

/** Energies in eV, densities in states/eV per cell. */
export const densityOfStatesJson = z.object({
  functional: text,
  energies: z.array(z.number()),
  total: z.array(z.number()),
  totalDown: z.array(z.number()).optional(),
  projected: z.record(text, z.array(z.number())).optional(),
  fermiEnergy: z.number(),
});
export type DensityOfStatesJson = z.infer<typeof densityOfStatesJson>;

export const materialDetail = z.object({
  formula: text,
  struct_id: z.int(),
  nelements: z.int(),
  nsites: z.int(),
  elements: z.array(text),
  elements_type: z.int(),
  /** Atoms of each of `elements` in the primitive cell. */
  elements_quantity: z.array(z.number()),
  /** Names people use, where the source has one. */
  names: z.object({ en: text.nullable(), zh: text.nullable() }),
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
  /** g/cm³ */
  density: z.number(),
  /** eV of the primitive cell, or eV/atom where the name says so. */
  energies: z.object({
    energy: eV,
    energy_per_atom: eV,
    energy_vdw: eV,
    energy_per_atom_vdw: eV,
    e_above_hull: eV,
    formation_energy_per_atom: eV,
    efermi: eV,
  }),
  /** Every energy scale known of this material; hulls never mix them. */
  energy_scales: z.array(
    z.object({
      functional: text,
      formation_energy_per_atom: eV,
      e_above_hull: eV,
      decomposition: z.array(z.object({ struct_id: z.int(), formula: text, fraction: z.number() })),
      release: z.int().nullable(),
      source: z.record(text, z.unknown()),
    }),
  ),
  symmetry_data: z.object({
    hall: text,
    space_group: text,
    space_group_number: z.int(),
    point_group: text,
    crystal_system: text,
    lattice_type: text,
    /** Å, the tolerance the symmetry was found with. */
    symprec: z.number(),
    wyckoffs: z.array(text),
  }),
  run_type: text,
  calculated_at: text,
  vasp_version: text,
  potcar_symbols: z.array(text),
  hubbards: z.record(text, z.number()),
  band_gap_type: text,
  band_gap: eV,
  total_magnetization: z.number().nullable(),
  decomposition: text,
  output_structs: z.object({
    /** CIF text in P1 of the atoms to draw. */
    jsmol_struct: text,
    /** CIF texts with their symmetry. */
    output_struct_primitive: text,
    output_struct_conventional: text,
  }),
  structures: z.object({ primitive: structureJson, conventional: structureJson }),
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
          epsilon_tensor: matrix,
          /** null when only the electronic part is known. */
          epsilon_total_tensor: matrix.nullable(),
          epsilon_electron: z.number(),
          epsilon_total: z.number().nullable(),
          refractive_index: z.number(),
        })
        .nullable(),
      /** C/m² */
      piezo_total_tensor: matrix.nullable(),
    }),
  }),
  elastic_dict: z.object({
    has_elastic: z.boolean(),
    /** GPa, Voigt order xx yy zz yz xz xy */
    elastic_tensor: matrix.nullable(),
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
  source: z.object({ name: text, id: text, licence: text, url: text.nullable() }),
  provenance: z.record(text, z.unknown()),
  /** Release of derived data the energies come from. */
  release: z.object({ id: z.int(), date: text }).nullable(),
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
  response: z.union([materialDetail, outcome]),
  example: examples.getStructDetail,
});
