/**
 * Origin of a section of a material's page: measured, calculated or predicted, by whom, how, and under which licence.
 */
import { type FieldSection, NUMBER_NAMES, fields } from '@unitcell/material';
import { z } from 'zod';
import { unit } from '../field-meta.ts';

const text = z.string();

/** `defined`: zero by convention, such as the formation energy of an element. */
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
  'phonons',
  'topology',
] as const;
export type SourceSection = (typeof PAGE_SECTIONS)[number] | FieldSection;

/** The sections of the page, followed by sections that only numbers of the table of fields belong to. */
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
  section: z.enum(SOURCE_SECTIONS).describe('Section of the page.'),
  of: text.describe('Which one, if a section has several: the energy scale, the functional, the gap.'),
  kinds: z
    .array(z.enum(SOURCE_KINDS))
    .describe(
      'measured, calculated, predicted or defined; more than one if a measured cell has computed positions.',
    ),
  statement: text.describe('As stated by the source.'),
  is_derived: z.boolean().describe('Whether this site derived it from other parts of the entry.'),
  method: z
    .array(
      z.object({
        key: z.enum(METHOD_KEYS).describe('Name of the parameter of the method.'),
        value: text.describe('Value with its unit.'),
      }),
    )
    .describe('The method, as far as it is known; values with their units.'),
  licence: text.describe('Licence of the section.'),
  works: z
    .array(
      z.object({
        text: text.describe('Citation of the work.'),
        url: text.nullable().describe('Address of the work; null without one.'),
      }),
    )
    .describe('The works to cite.'),
  citation_checked: z
    .boolean()
    .nullable()
    .describe('false: the figure has not been compared with the cited work; null: unknown.'),
});
export type SectionSource = z.infer<typeof sectionSource>;

/** Gaps of one material differ by functional, by mesh or path, and between calculation and measurement. */
export const GAP_ORIGINS = ['listed', 'bands', 'measured'] as const;
export const statedGap = z.object({
  of: z
    .enum(GAP_ORIGINS)
    .describe('`listed`: the one of the lists; `bands`: along the path of a band structure of this entry.'),
  functional: text.describe('Empty if unknown or not applicable.'),
  value: z.number().meta(unit('eV', 'The gap; 0 is a metal.')),
});
export type StatedGap = z.infer<typeof statedGap>;

/** Whether the compound has been synthesised; empty if unknown. */
export const observed = z.object({
  status: z.enum(['observed', 'computed only', '']).describe('observed, computed only, or empty if unknown.'),
  evidence: text.describe('The evidence.'),
});
