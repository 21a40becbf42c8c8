/**
 * One line of our import JSONL: one material. docs/import-format.md explains every field; this is what a line is
 * checked with, and what `export` writes.
 */
import { z } from 'zod';

const finite = z.number();
const vector = z.tuple([finite, finite, finite]);
const matrix3 = z.tuple([vector, vector, vector]);
const row6 = z.array(finite).length(6);
const text = z.string().max(2000);
const freeRecord = z.record(z.string().max(200), z.unknown());

/** Sites one material may have. */
export const MAX_IMPORT_SITES = 1000;

export const importStructure = z.object({
  lattice: z.object({ matrix: matrix3 }),
  sites: z
    .array(
      z.object({
        species: z
          .array(z.object({ element: z.string().max(8), occu: finite }))
          .min(1)
          .max(20),
        abc: vector,
        label: z.string().max(100).optional(),
      }),
    )
    .min(1)
    .max(MAX_IMPORT_SITES),
});

export const importSource = z.object({
  name: text,
  id: text.default(''),
  licence: text.default(''),
  url: z.url().max(2000).optional(),
});

const bandsInput = z.object({
  functional: text,
  kPoints: z.array(vector).max(20_000),
  labels: z.array(z.object({ index: z.int().nonnegative(), label: z.string().max(40) })).max(200),
  kDistance: z.array(finite).max(20_000),
  spinUp: z.array(z.array(finite).max(2000)).max(20_000),
  spinDown: z.array(z.array(finite).max(2000)).max(20_000).optional(),
  fermiEnergy: finite,
  reciprocalLattice: matrix3.optional(),
});

const dosInput = z.object({
  functional: text,
  energies: z.array(finite).max(50_000),
  total: z.array(finite).max(50_000),
  totalDown: z.array(finite).max(50_000).optional(),
  projected: z.record(z.string().max(40), z.array(finite).max(50_000)).optional(),
  fermiEnergy: finite,
});

export const importLine = z.object({
  struct_id: z.int().positive().max(1_999_999_999).optional(),
  structure: importStructure,
  /** Total energy of the cell given, eV. */
  energy: finite.optional(),
  /** eV/atom; wins over `energy` where both are there. */
  formation_energy_per_atom: finite.optional(),
  /** Energy scale of the two above. */
  functional: z.string().min(1).max(100).optional(),
  /** Energies on other scales. */
  energies: z
    .array(
      z.object({
        functional: z.string().min(1).max(100),
        energy: finite.optional(),
        formation_energy_per_atom: finite.optional(),
        source: freeRecord.optional(),
      }),
    )
    .max(20)
    .default([]),
  band_gap: finite.nonnegative().optional(),
  band_gap_type: z.enum(['direct', 'indirect', 'metal']).optional(),
  efermi: finite.optional(),
  /** µB of the cell given. */
  total_magnetization: finite.optional(),
  is_hubbard: z.boolean().optional(),
  /** U in eV by element. */
  hubbards: z.record(z.string().max(8), finite).optional(),
  names: z.object({ en: text.optional(), zh: text.optional() }).optional(),
  /** 6×6 GPa, Voigt order xx yy zz yz xz xy. */
  elastic_tensor: z.array(row6).length(6).optional(),
  dielectric: z.object({ electronic: matrix3, total: matrix3.optional() }).optional(),
  /** 3×6 C/m². */
  piezoelectric_total: z.array(row6).length(3).optional(),
  topology: z.object({ labels: z.array(text).max(50), rows: z.array(freeRecord).max(2000) }).optional(),
  bands: z.array(bandsInput).max(4).optional(),
  dos: z.array(dosInput).max(4).optional(),
  source: importSource,
  provenance: freeRecord.optional(),
});
export type ImportLine = z.infer<typeof importLine>;
