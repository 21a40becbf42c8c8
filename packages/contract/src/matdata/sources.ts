/**
 * Origin of a section of a material's page: measured, calculated or predicted, by whom, how, and under which licence.
 */
import {
  COMPARED_OF_SOURCES,
  type FieldOf,
  fields,
  type FieldSection,
  type GivenNumberName,
  NUMBER_NAMES,
} from '@unitcell/material';
import { z } from 'zod';
import { unit } from '../common.ts';

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

/** The sections of the page, followed by sections that contain only numbers of the table of fields. */
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
  of: text.describe('Energy scale, functional or gap, if a section has several of them.'),
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
export const GAP_ORIGINS = ['listed', 'bands', 'measured', 'quoted'] as const;
export const statedGap = z.object({
  of: z
    .enum(GAP_ORIGINS)
    .describe(
      '`listed`: the one of the lists; `bands`: along the path of a band structure of this entry; `quoted`: commonly quoted, the measurement was not looked up.',
    ),
  functional: text.describe('Empty if unknown or not applicable.'),
  value: z.number().meta(unit('eV', 'The gap; 0 is a metal.')),
});
export type StatedGap = z.infer<typeof statedGap>;

/** Whether the compound has been synthesised; empty if unknown. */
export const observed = z.object({
  status: z.enum(['observed', 'computed only', '']).describe('observed, computed only, or empty if unknown.'),
  evidence: text.describe('The evidence.'),
});

// The values of each source of a material, side by side. Both lists are empty for a material with one source.

/** Quantities compared in addition to the numbers of the table of fields; most of them are per atom. */
export const COMPARED_FIGURES = [
  'volume_per_atom',
  'formation_energy',
  'energy',
  'band_gap',
  'magnetization_per_atom',
  'k_vrh',
  'g_vrh',
  'epsilon_electronic',
  'epsilon_total',
] as const;
export type ComparedFigure = (typeof COMPARED_FIGURES)[number];
/** Numbers of the table of fields are named by their column. */
export type ComparedProperty = ComparedFigure | FieldOf<GivenNumberName>['column'];
const COMPARED_PROPERTIES: readonly ComparedProperty[] = [
  ...COMPARED_FIGURES,
  ...COMPARED_OF_SOURCES.map((name) => fields[name].column),
];

export const materialRecord = z.object({
  id: z.int().describe('Id of the record.'),
  own_id: z
    .int()
    .nullable()
    .describe('The former struct_id of the record, which now leads to this material; null: none.'),
  source: z
    .object({
      name: text.describe('Name of the source.'),
      id: text.describe('Id of the entry at the source.'),
      licence: text.describe('Licence of the record.'),
      url: text.nullable().describe('Address at the source; null without one.'),
    })
    .describe('Origin of the record.'),
  imported_at: text.describe('Time of import, ISO 8601.'),
  space_group: text.describe('Hermann–Mauguin symbol of the space group according to the source.'),
  shown: z
    .array(text)
    .describe(
      'Sections of the material that come from this record: `structure`, `bandGap`, `energy:PBE (MP 2018)` …',
    ),
});
export type MaterialRecord = z.infer<typeof materialRecord>;

export const recordComparison = z.object({
  property: z.enum(COMPARED_PROPERTIES).describe('The property compared.'),
  of: text.describe('The energy scale, for energies; otherwise empty.'),
  unit: text.describe('Unit of the values; empty for dimensionless numbers.'),
  values: z
    .array(z.number().nullable())
    .describe('Values in the order of `records`; null: not given by that source.'),
  spread: z
    .number()
    .describe('Largest minus smallest value, in `unit`; a share of their mean if the bound is relative.'),
  bound: z.number().describe('Largest spread that counts as agreement, in `unit` or as a share of the mean.'),
  is_relative: z.boolean().describe('Whether spread and bound are shares of the mean.'),
  is_disagreement: z.boolean().describe('Whether the spread exceeds the bound.'),
});
export type RecordComparison = z.infer<typeof recordComparison>;
