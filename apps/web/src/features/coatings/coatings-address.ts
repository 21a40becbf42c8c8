/** State of the coatings page in its address, and the requests that follow from it. */
import { coatingMatrix, searchCoatings } from '@unitcell/contract/calls';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';
import { readEnergyText } from '../../components/own-crystal.tsx';
import type { RequestOf } from '../../lib/api-client.ts';
import { readNumber } from '../../lib/format.ts';

/** Parameter names of the fields. Every value is text as typed; an empty text means that the field is not set. */
const FIELDS = {
  a: 'a',
  b: 'b',
  // Predicted formation energies of the visitor's own crystals, with their intervals.
  aEnergy: 'ea',
  bEnergy: 'eb',
  ion: 'ion',
  // Not `from`: that parameter is the material whose page linked here.
  from: 'vmin',
  to: 'vmax',
  gap: 'gap',
  hull: 'ehull',
  without: 'without',
  including: 'with',
  elements: 'n',
  price: 'price',
  potential: 'at',
  limit: 'limit',
  materials: 'm',
  against: 'against',
} as const;
export type CoatingField = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as CoatingField[];

export type CoatingQuery = Readonly<Record<CoatingField, string>> & {
  readonly mode: 'find' | 'matrix';
  readonly observed: boolean;
  /** Null for the site's default. */
  readonly scale: string | null;
};

export function readCoatings(parameters: URLSearchParams): CoatingQuery {
  const texts = Object.fromEntries(
    NAMES.map((name) => [name, parameters.get(FIELDS[name])?.trim() ?? '']),
  ) as Record<CoatingField, string>;
  return {
    ...texts,
    mode: parameters.get('mode') === 'matrix' ? 'matrix' : 'find',
    observed: parameters.get('observed') === '1',
    scale: readScale(parameters),
  };
}

export function writeCoatings(query: CoatingQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  if (query.mode === 'matrix') parameters.set('mode', 'matrix');
  for (const name of NAMES) if (query[name].trim() !== '') parameters.set(FIELDS[name], query[name].trim());
  if (query.observed) parameters.set('observed', '1');
  if (query.scale !== null) parameters.set(SCALE_PARAMETER, query.scale);
  return parameters;
}

/** Fields that hold numbers, with their limits. */
export const NUMBER_LIMITS = {
  from: { min: 0, max: 10 },
  to: { min: 0, max: 10 },
  gap: { min: 0, max: 20 },
  hull: { min: 0, max: 5 },
  elements: { min: 1, max: 6 },
  price: { min: 0.001, max: 1e9 },
  potential: { min: 0, max: 10 },
  limit: { min: 0, max: 2 },
} as const;
export type NumberField = keyof typeof NUMBER_LIMITS;

/** A decimal comma is accepted. Undefined if the field is empty; NaN if it is not a number within its limits. */
export function numberOf(query: CoatingQuery, field: NumberField): number | undefined {
  if (query[field].trim() === '') return undefined;
  const value = readNumber(query[field]) ?? Number.NaN;
  const { min, max } = NUMBER_LIMITS[field];
  const isWhole = field !== 'elements' || Number.isInteger(value);
  return value >= min && value <= max && isWhole ? value : Number.NaN;
}

export const badNumbers = (query: CoatingQuery): readonly NumberField[] =>
  (Object.keys(NUMBER_LIMITS) as NumberField[]).filter((field) => Number.isNaN(numberOf(query, field)));

/** Leaves out what is undefined. */
type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };
const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;

const conditions = (query: CoatingQuery) => ({
  working_ion: query.ion === '' ? undefined : query.ion,
  potential: numberOf(query, 'potential'),
  functional: query.scale ?? undefined,
});

export const searchRequest = (query: CoatingQuery): RequestOf<typeof searchCoatings> => ({
  call: searchCoatings,
  body: {
    a: query.a,
    b: query.b,
    ...given({
      ...conditions(query),
      a_energy: readEnergyText(query.aEnergy) ?? undefined,
      b_energy: readEnergyText(query.bEnergy) ?? undefined,
      window_min: numberOf(query, 'from'),
      window_max: numberOf(query, 'to'),
      min_band_gap: numberOf(query, 'gap'),
      max_energy_above_hull: numberOf(query, 'hull'),
      exclude_elements: query.without === '' ? undefined : query.without,
      include_elements: query.including === '' ? undefined : query.including,
      observed_only: query.observed ? true : undefined,
      max_elements: numberOf(query, 'elements'),
      max_price: numberOf(query, 'price'),
      reaction_limit: numberOf(query, 'limit'),
    }),
  },
});

/** Splits a text into formulas and ids, which are separated by spaces, commas or line breaks. */
export const materialsOf = (text: string): readonly string[] =>
  text.split(/[\s,;，；、]+/).filter((part) => part !== '');

export const matrixRequest = (query: CoatingQuery): RequestOf<typeof coatingMatrix> => ({
  call: coatingMatrix,
  body: {
    materials: [...materialsOf(query.materials)],
    ...given({ ...conditions(query), against: query.against === '' ? undefined : query.against }),
  },
});

/** Charge numbers of the working ions: 1 V changes the chemical potential of the ion by this many eV. */
const CHARGES: Readonly<Record<string, number>> = { Li: 1, Na: 1, K: 1, Mg: 2, Ca: 2, Zn: 2, Al: 3 };

/** The page with all reactions of a pair, under the same conditions. */
export function interfacePath(
  first: string | number,
  second: string | number,
  { potential, working_ion: ion }: { readonly potential: number | null; readonly working_ion: string },
  scale: string | null,
): string {
  const parameters = new URLSearchParams({ a: String(first), b: String(second) });
  if (potential !== null) {
    parameters.set('open', ion);
    parameters.set('mu', String(-potential * (CHARGES[ion] ?? 1)));
  }
  parameters.set('hull', '1');
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  return `/Interface_reaction?${parameters.toString()}`;
}
