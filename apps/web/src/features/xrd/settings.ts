/** Match settings of the form, and their validation. */
import {
  type BadFilterReason,
  DiffractionError,
  findRadiationSource,
  parseElementFilter,
  RADIATION_SOURCES,
} from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import type { MatchWay, MeasurementRecord } from '@unitcell/contract/xrd';
import { MATCH_ROWS, MAX_MATCH_STRAIN } from '@unitcell/contract/xrd/rules';

export interface MatchSettings {
  /** Display name of the source (`CuKα`), or a wavelength in Å as text. */
  readonly radiation: string;
  /** `only: Al N`, `include: Al N *` or empty. */
  readonly elements: string;
  readonly way: MatchWay;
  readonly allowsStrain: boolean;
  readonly rows: number;
}

export const DEFAULT_SETTINGS: MatchSettings = {
  radiation: RADIATION_SOURCES[0]?.name ?? 'CuKα',
  elements: '',
  way: 'DTW',
  allowsStrain: true,
  rows: MATCH_ROWS.default,
};

/** Initial settings: the elements from the address (`?elements=Ti O`), otherwise all. */
export function settingsOf(parameters: URLSearchParams): MatchSettings {
  const elements = parameters.get('elements')?.trim() ?? '';
  const filter = `only: ${elements}`;
  return elements !== '' && readFilter(filter).kind === 'exactly'
    ? { ...DEFAULT_SETTINGS, elements: filter }
    : DEFAULT_SETTINGS;
}

export const ROW_CHOICES = [10, 20, 50, MATCH_ROWS.max] as const;

export const maxStrainOf = ({ allowsStrain }: MatchSettings): number => (allowsStrain ? MAX_MATCH_STRAIN : 0);

/** The two methods are exclusive: each checkbox switches to its method or away from it. */
export const otherWay = (way: MatchWay): MatchWay => (way === 'DTW' ? 'Euclidean' : 'DTW');

/** Wavelength in Å for the read-only box. */
export const wavelengthText = (radiation: string): string =>
  String(RADIATION_SOURCES.find(({ name }) => name === radiation)?.wavelength ?? radiation);

/** The radiation named in a file, as shown in the form; null if it names none. */
export const radiationIn = (record: MeasurementRecord | null): string | null =>
  record?.radiation === undefined ? null : (findRadiationSource(record.radiation)?.name ?? record.radiation);

/** Sources grouped by anode, as in the drop-down; the chosen radiation is last if it is none of them. */
export const sourceGroups = (radiation: string): { group: string; items: string[] }[] => {
  const names = RADIATION_SOURCES.map(({ name }) => name);
  const anodes = [...new Set(names.map((name) => name.slice(0, 2)))];
  return [
    ...anodes.map((group) => ({ group, items: names.filter((name) => name.startsWith(group)) })),
    ...(names.includes(radiation) ? [] : [{ group: 'λ (Å)', items: [radiation] }]),
  ];
};

/** Parses the element box: empty, a filter, or an error. */
export type FilterReading =
  | { readonly kind: 'all' }
  | { readonly kind: 'exactly' | 'atLeast'; readonly elements: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: BadFilterReason; readonly found: string };

export function readFilter(text: string): FilterReading {
  try {
    const filter = parseElementFilter(text, isElementSymbol);
    if (!filter) return { kind: 'all' };
    return { kind: filter.others ? 'atLeast' : 'exactly', elements: filter.elements };
  } catch (error) {
    if (!(error instanceof DiffractionError)) throw error;
    const { reason, found } = error.parameters as {
      readonly reason: BadFilterReason;
      readonly found?: string;
    };
    return { kind: 'wrong', reason, found: found ?? '' };
  }
}
