/** The materials: search, entries, phonons, reports, releases and frames on other sites. */
import { fieldOf, SEARCH_ROW, type SearchRow } from '@unitcell/material';
import { z } from 'zod';
import {
  ELEMENT_SEARCH,
  formula,
  FORMULA_SEARCH,
  ID_SEARCH,
  outcome,
  structId,
  materialId,
  rowId,
  defineCall,
  unit,
  energyScale,
  functional,
  completenessOfRows,
} from '../common.ts';
import * as address from '../calls.ts';
import { answered, phononsOfCell } from '../material/result-schemas.ts';
import { materialDetail } from './get-struct-detail.ts';
import { LONGEST_REPORT, SHORTEST_REPORT } from './rules.ts';

export * from './crystal-views.ts';
export * from './get-struct-detail.ts';
export * from './rules.ts';
export * from './screen.ts';
export * from './sources.ts';

// The three searches of the materials page (spec §7.3). They share request limits and the positional row.

/** Limit of rows sent; `len` gives the total, and `message` reports that rows were cut. */
export const MAX_SEARCH_ROWS = 10_000;

/** Limit of characters in a search text. Longer texts are refused with a message, not as a contract error. */
export const MAX_SEARCH_TEXT = 200;

/**
 * A result as a list of values. The API gives the positions no names; the OpenAPI document uses the names of
 * the columns.
 */
function searchRowSchema(): z.ZodType<SearchRow, SearchRow>;
function searchRowSchema(): z.ZodType {
  const [first, ...others] = SEARCH_ROW;
  const positioned = (name: (typeof SEARCH_ROW)[number]): z.ZodType =>
    answered(name).meta({ title: fieldOf(name).row?.name });
  return z.tuple([positioned(first), ...others.map(positioned)]);
}

export const materialRow = searchRowSchema();
export type MaterialRow = z.infer<typeof materialRow>;

/**
 * All formation energies and energies above the hull of an answer are on one scale; they are null for materials
 * without energies on this scale.
 */
const searchRequest = z.object({
  include: z.string().max(20_000).describe('The search text; the summary of the call describes its form.'),
  functional,
});

const searchResponse = outcome.extend({
  ...energyScale.shape,
  results: z.array(materialRow).describe('The results in order; each position of a row is described below.'),
  len: z.int().describe('Total number of matches; at most 10,000 of them are sent.'),
  completeness: completenessOfRows,
});

export const searchByElements = defineCall(address.searchByElements, {
  summary: 'Materials with exactly these elements (`Ti-O`), or at least these (`Ti-O-*`)',
  request: searchRequest,
  answer: searchResponse,
  refusals: [...ELEMENT_SEARCH, 'phase.unknown-scale'],
});

export const searchByFormula = defineCall(address.searchByFormula, {
  summary: 'Materials of one reduced formula, in any notation; empty means `Li(CoO2)2`',
  request: searchRequest,
  answer: searchResponse.extend({
    formula,
  }),
  refusals: [...FORMULA_SEARCH, 'phase.unknown-scale'],
});

export const searchByStructId = defineCall(address.searchByStructId, {
  summary: 'The material with this id, with or without leading zeros',
  request: z.object({
    include: z
      .union([z.string().max(20_000), z.number()])
      .describe('The search text; the summary of the call describes its form.'),
    functional,
  }),
  answer: searchResponse,
  refusals: [...ID_SEARCH, 'phase.unknown-scale'],
});

// Calculated phonons of a material, and the motion of the atoms in its modes.

const phononFunctional = z.string().max(100).describe('Functional of the calculation.');
const q = z.tuple([z.number(), z.number(), z.number()]);

export const materialPhonons = z.object({
  phonons: z
    .array(
      phononsOfCell.extend({
        functional: phononFunctional,
        has_modes: z
          .boolean()
          .describe(
            'Whether `get_phonon_modes` gives the modes: of any wave vector if force constants are known, of named points if the source gives eigenvectors.',
          ),
        has_charges: z
          .boolean()
          .nullable()
          .describe('Whether longitudinal and transverse modes are split by Born charges; null: unknown.'),
      }),
    )
    .describe('One entry per functional; empty if there are none.'),
});
export type MaterialPhonons = z.infer<typeof materialPhonons>;
export type MaterialPhononsOfFunctional = MaterialPhonons['phonons'][number];

export const getPhonons = defineCall(address.getPhonons, {
  summary: 'Calculated phonons: bands, density of states, thermal properties',
  request: z.object({ struct_id: structId }),
  answer: materialPhonons,
  faults: ['material.not-found'],
});

export const phononModes = z.object({
  frequencies: z.array(z.number()).meta(unit('THz', 'Frequencies; negative: imaginary.')),
  displacements: z
    .array(z.array(z.array(z.number()).length(6)))
    .describe(
      'Per mode and atom of the cell: real parts of x, y, z, then imaginary parts, times exp(2πi q·R) in the cell at R; the largest amplitude of a mode is 1.',
    ),
});
export type PhononModes = z.infer<typeof phononModes>;

export const getPhononModes = defineCall(address.getPhononModes, {
  summary: 'Frequencies and motion of the atoms of all phonon modes of a wave vector',
  request: z.object({
    struct_id: structId,
    functional: phononFunctional,
    q: q.describe('Wave vector in fractions of the reciprocal vectors of `structure`.'),
  }),
  answer: phononModes,
  faults: ['material.not-found', 'material.no-modes'],
  calculates: true,
});

// Addresses that other sites may show in a frame. The key in the address opens one material or diagram to
// readers without an account.

const embedKey = z.string().max(100).describe('The key in the address of the frame.');

export const getEmbedKey = defineCall(address.getEmbedKey, {
  summary: 'The key of an address for a frame: of a material, or of a phase diagram',
  request: z.object({
    kind: z.enum(['material', 'phase']).describe('A crystal or a phase diagram.'),
    of: z
      .string()
      .min(1)
      .max(300)
      .describe('The id, or the components and the scale: `Li Fe O@PBE (MP 2018)`.'),
  }),
  answer: outcome.extend({ key: embedKey }),
});

export const getEmbeddedMaterial = defineCall(address.getEmbeddedMaterial, {
  summary: 'The crystal of a material, its source and licence, for a frame',
  access: 'public',
  request: z.object({ struct_id: structId, key: embedKey }),
  answer: materialDetail
    .pick({ struct_id: true, formula: true, names: true, symmetry_data: true, source: true, sources: true })
    .extend({ structure: materialDetail.shape.structures.shape.conventional }),
  faults: ['material.not-found', 'embed.bad-key'],
});

// Reports of problems with a material's entry, from readers to the administrators of the site.

const message = z.string().describe('What is wrong, and how the reporter knows.');
const time = z.string().describe('Time, ISO 8601.');

export const entryReport = z.object({
  id: rowId.describe('Id of the report.'),
  struct_id: materialId,
  message,
  created_at: time,
  answer: z.string().nullable().describe('Answer of the administrators; null: open.'),
  answered_at: time.nullable().describe('Time of the answer, ISO 8601; null: open.'),
});
export type EntryReport = z.infer<typeof entryReport>;

export const reportEntry = defineCall(address.reportEntry, {
  summary:
    'Reports a problem with an entry to the administrators; visitors without an account give an e-mail address',
  access: 'public',
  knowsMembers: true,
  request: z.object({
    struct_id: structId,
    message: message.trim().min(SHORTEST_REPORT).max(LONGEST_REPORT),
    email: z
      .string()
      .trim()
      .max(200)
      .regex(/^$|^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'an e-mail address such as name@example.org')
      .default('')
      .describe('Where the administrators can ask back; deleted 90 days after the answer.'),
  }),
  answer: outcome.extend({ report: entryReport }),
  refusals: ['report.no-contact'],
  faults: ['material.not-found'],
});

export const listReports = defineCall(address.listReports, {
  summary: 'Your own reports of problems with an entry, newest first, with their answers',
  request: z.object({ struct_id: structId }),
  answer: outcome.extend({ reports: z.array(entryReport) }),
});

// Dumps of the whole catalogue, one folder of files per release, with checksums and a citation.

const count = z.int().nonnegative();

export const releaseFile = z.object({
  name: z.string().describe('Name of the file: `materials.parquet`.'),
  bytes: count.meta(unit('bytes', 'Size of the file.')),
  sha256: z.string().describe('SHA-256 of the bytes, hexadecimal.'),
  rows: count.describe('Number of materials, energies or windows in it.'),
  media_type: z.string().describe('Media type of the file.'),
  about: z.string().describe('Content of a row.'),
  address: z.string().describe('Path of the file on this site.'),
});
export type ReleaseFile = z.infer<typeof releaseFile>;

export const publishedRelease = z.object({
  release: z.int().describe('Number of the last rebuild of derived data in it.'),
  published_at: z.string().describe('Time of publication, ISO 8601.'),
  materials: count.describe('Number of materials in the release.'),
  licences: z.record(z.string(), count).describe('Materials under each licence; every row states its own.'),
  cite: z.string().describe('Citation.'),
  files: z.array(releaseFile).describe('Files of the release.'),
});
export type PublishedRelease = z.infer<typeof publishedRelease>;

export const listReleases = defineCall(address.listReleases, {
  summary: 'Dumps of the catalogue, newest first: JSON Lines, Parquet and OPTIMADE JSON Lines with SHA-256',
  access: 'public',
  answer: outcome.extend({
    access: z
      .enum(['key', 'public'])
      .describe('key: the files require an API key or a sign-in; public: no restriction.'),
    releases: z.array(publishedRelease).describe('Releases of the whole catalogue, newest first.'),
  }),
});

// Topological data of a material (spec §3 "Topological data").

export const topologyData = z.object({
  is_topo_display: z.boolean().describe('Whether there are data.'),
  labels: z.array(z.string()).describe('Headings of the table.'),
  topo_data_web: z.array(z.record(z.string(), z.unknown())).describe('Rows keyed by label.'),
});
export type TopologyData = z.infer<typeof topologyData>;

export const fetchIrvsp = defineCall(address.fetchIrvsp, {
  summary: 'Irreducible representations and topological class of a material',
  request: z.object({ struct_id: structId }),
  answer: topologyData,
  faults: ['material.not-found'],
});
