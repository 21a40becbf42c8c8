/** Where a part of a material's page comes from: measured, calculated or predicted, by whom, how, under which licence. */
import { type FieldSection, NUMBER_NAMES, fields } from '@unitcell/material';
import { z } from 'zod';

const text = z.string();

/** `defined`: a zero by convention, such as the formation energy of an element. */
export const SOURCE_KINDS = ['measured', 'calculated', 'predicted', 'defined'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

const PAGE_SECTIONS = [
  'structure',
  'symmetry',
  'energy',
  'band_gap',
  'bands',
  'phase_diagram',
  'xrd',
  'dielectric',
  'piezoelectric',
  'elastic',
  'topology',
] as const;
export type SourceSection = (typeof PAGE_SECTIONS)[number] | FieldSection;

/** Those of the page, then those that only numbers of the table of fields belong to. */
export const SOURCE_SECTIONS: readonly SourceSection[] = [
  ...new Set([...PAGE_SECTIONS, ...NUMBER_NAMES.map((name) => fields[name].sourceSection)]),
];

export const METHOD_KEYS = [
  'code',
  'functional',
  'hubbard',
  'cutoff',
  'k_mesh',
  'data_sets',
  'smearing',
  'temperature',
  'tolerance',
] as const;
export type MethodKey = (typeof METHOD_KEYS)[number];

export const sectionSource = z.object({
  section: z.enum(SOURCE_SECTIONS),
  /** Which one, where a section has several: the energy scale, the functional of the bands, a gap's `of`. */
  of: text,
  /** Both where a measured cell holds computed positions; empty where the source does not say. */
  kinds: z.array(z.enum(SOURCE_KINDS)),
  /** As the source states it. */
  statement: text,
  /** Derived by this site from other parts of the entry. */
  is_derived: z.boolean(),
  /** How, as far as it is known; values with their units. */
  method: z.array(z.object({ key: z.enum(METHOD_KEYS), value: text })),
  licence: text,
  /** The works to cite. */
  works: z.array(z.object({ text, url: text.nullable() })),
  /** false: nobody has compared the figure with the work it cites; null: not known. */
  citation_checked: z.boolean().nullable(),
});
export type SectionSource = z.infer<typeof sectionSource>;

/** Gaps of one material differ: by functional, by mesh or path, and from the measured one. */
export const GAP_ORIGINS = ['listed', 'bands', 'measured'] as const;
export const statedGap = z.object({
  /** `listed`: the one of the lists; `bands`: along the path of a band structure of this entry. */
  of: z.enum(GAP_ORIGINS),
  /** Empty where it is not known or there is none. */
  functional: text,
  /** eV; 0 is a metal. */
  value: z.number(),
});
export type StatedGap = z.infer<typeof statedGap>;

/** Whether the compound was made: empty where that is not established. */
export const observed = z.object({ status: z.enum(['observed', 'computed only', '']), evidence: text });
