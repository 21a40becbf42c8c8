/** How to match, as the form holds it, and what is wrong with it. */
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
  /** Name of the source as shown (`CuKα`), or a wavelength in Å as text. */
  readonly radiation: string;
  /** `only: Al N`, `include: Al N *` or nothing. */
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

/** What the form begins with: the elements an address names (`?elements=Ti O`), else all. */
export function settingsOf(parameters: URLSearchParams): MatchSettings {
  const elements = parameters.get('elements')?.trim() ?? '';
  const filter = `only: ${elements}`;
  return elements !== '' && readFilter(filter).kind === 'exactly'
    ? { ...DEFAULT_SETTINGS, elements: filter }
    : DEFAULT_SETTINGS;
}

export const ROW_CHOICES = [10, 20, 50, MATCH_ROWS.max] as const;

export const maxStrainOf = ({ allowsStrain }: MatchSettings): number => (allowsStrain ? MAX_MATCH_STRAIN : 0);

/** The two methods exclude each other: choosing either box changes to the one it stands for, or away from it. */
export const otherWay = (way: MatchWay): MatchWay => (way === 'DTW' ? 'Euclidean' : 'DTW');

/** Å, as the read-only box shows it. */
export const wavelengthText = (radiation: string): string =>
  String(RADIATION_SOURCES.find(({ name }) => name === radiation)?.wavelength ?? radiation);

/** The radiation a file names, as the form shows it; null where it names none. */
export const radiationIn = (record: MeasurementRecord | null): string | null =>
  record?.radiation === undefined ? null : (findRadiationSource(record.radiation)?.name ?? record.radiation);

/** Sources by anode, as the drop-down groups them; last the radiation chosen, where it is none of them. */
export const sourceGroups = (radiation: string): { group: string; items: string[] }[] => {
  const names = RADIATION_SOURCES.map(({ name }) => name);
  const anodes = [...new Set(names.map((name) => name.slice(0, 2)))];
  return [
    ...anodes.map((group) => ({ group, items: names.filter((name) => name.startsWith(group)) })),
    ...(names.includes(radiation) ? [] : [{ group: 'λ (Å)', items: [radiation] }]),
  ];
};

/** What the element box says: nothing, a filter, or why it is none. */
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
