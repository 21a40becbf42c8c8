/** One row of `seed-data/compounds.csv`: the facts about a compound from which its material is generated. */
import type { Vec3 } from '@unitcell/numerics';
import { parse } from 'csv-parse/sync';

/** One record as column name → text; empty fields are empty strings. */
export type CsvRecord = Readonly<Record<string, string>>;

/** Records of a table; the first line that is not a comment names the columns. */
export const parseCsv = (text: string): readonly CsvRecord[] =>
  parse(text, { columns: true, comment: '#', comment_no_infix: true, skip_empty_lines: true, trim: true });

/** One orbit of the asymmetric unit: the element, the Wyckoff position (`4f`) and a representative point. */
export interface AsymmetricSite {
  readonly element: string;
  readonly wyckoff: string;
  readonly position: Vec3;
}

/** `1/3`, `-0.25`, `0.30531`. */
function coordinate(text: string): number {
  const fraction = /^(-?\d+)\/(\d+)$/.exec(text);
  const value = fraction === null ? Number(text) : Number(fraction[1]) / Number(fraction[2]);
  if (text === '' || !Number.isFinite(value)) throw new Error(`"${text}" is not a coordinate.`);
  return value;
}

/** Reads `Ti 2a 0 0 0; O 4f 0.3053 0.3053 0`. */
export function parseSites(text: string): readonly AsymmetricSite[] {
  return text.split(';').map((entry) => {
    const words = entry.trim().split(/\s+/);
    if (words.length !== 5)
      throw new Error(`"${entry.trim()}" is not a site: element, Wyckoff position, x, y, z.`);
    const [element, wyckoff, x, y, z] = words;
    return { element, wyckoff, position: [coordinate(x), coordinate(y), coordinate(z)] };
  });
}

function required(record: CsvRecord, column: string): string {
  const text = record[column];
  if (text === undefined || text === '') throw new Error(`column "${column}" is empty.`);
  return text;
}

function numberIn(record: CsvRecord, column: string): number {
  const value = Number(required(record, column));
  if (!Number.isFinite(value)) throw new Error(`column "${column}" holds "${record[column]}", not a number.`);
  return value;
}

const optionalNumber = (record: CsvRecord, column: string): number | undefined =>
  record[column] === '' || record[column] === undefined ? undefined : numberIn(record, column);

function oneOf<Word extends string>(record: CsvRecord, column: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === (record[column] ?? ''));
  if (word === undefined)
    throw new Error(`column "${column}" holds "${record[column]}": not ${words.join(', ')}.`);
  return word;
}

const compoundFrom = (record: CsvRecord) => ({
  structId: numberIn(record, 'struct_id'),
  formula: required(record, 'formula'),
  nameEn: required(record, 'name_en'),
  nameZh: required(record, 'name_zh'),
  spaceGroupNumber: numberIn(record, 'sg'),
  spaceGroupSymbol: required(record, 'sg_symbol'),
  cell: {
    a: numberIn(record, 'a'),
    b: numberIn(record, 'b'),
    c: numberIn(record, 'c'),
    alpha: numberIn(record, 'alpha'),
    beta: numberIn(record, 'beta'),
    gamma: numberIn(record, 'gamma'),
  },
  sites: parseSites(required(record, 'sites')),
  structureSource: required(record, 'structure_source'),
  /** Density in g/cm³, and its source: a measured value, or the computed cell that must have this density. */
  density: numberIn(record, 'density'),
  densitySource: required(record, 'density_source'),
  /** Materials Project identifier of the computed entry, '' when there is none. */
  mpId: record['mp_id'] ?? '',
  /** eV/atom on the `PBE (MP 2018)` scale; undefined if unknown. */
  formationEnergyPbe: optionalNumber(record, 'e_form_pbe'),
  formationEnergyPbeNote: record['e_form_pbe_note'] ?? '',
  /** eV/atom, standard enthalpy of formation at 298.15 K; undefined if unknown. */
  formationEnthalpy298: optionalNumber(record, 'dhf_298'),
  formationEnthalpy298Source: record['dhf_298_source'] ?? '',
  /** eV, PBE; undefined if unknown. */
  gapPbe: optionalNumber(record, 'gap_pbe'),
  gapKind: oneOf(record, 'gap_kind', ['', 'direct', 'indirect'] as const),
  /** eV, measured; undefined if unknown. */
  gapExperiment: optionalNumber(record, 'gap_expt'),
  gapExperimentSource: record['gap_expt_source'] ?? '',
  /** `stable`, `metastable` or '': experimental knowledge at ambient conditions, used by the hull tests. */
  known: record['known'] ?? '',
  /** Whether it has been synthesised, '' if unknown; and the evidence. */
  observed: oneOf(record, 'observed', ['', 'observed', 'computed only'] as const),
  observedBy: record['observed_by'] ?? '',
  /**
   * `yes`: every value was taken from its source by a program; `no: cell, density`: the listed values were
   * not.
   */
  citationChecked: record['citation_checked'] ?? '',
});

export type Compound = Readonly<ReturnType<typeof compoundFrom>>;

/** The rows of the table by `struct_id`. @throws Error naming the compound that cannot be read */
export function parseCompounds(text: string): readonly Compound[] {
  const compounds = parseCsv(text).map((record) => {
    try {
      return compoundFrom(record);
    } catch (cause) {
      const why = (cause as Error).message;
      const message = `compounds.csv, struct_id ${record['struct_id']} (${record['formula']}): ${why}`;
      throw new Error(message, { cause });
    }
  });
  const seen = new Set<number>();
  for (const { structId, formula } of compounds) {
    if (!Number.isInteger(structId) || structId < 1 || seen.has(structId))
      throw new Error(`compounds.csv, struct_id ${structId} (${formula}): ids are unique integers from 1.`);
    seen.add(structId);
  }
  return [...compounds].sort((left, right) => left.structId - right.structId);
}
