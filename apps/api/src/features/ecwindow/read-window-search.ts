/** The advanced options of a window search, read (spec §2.10; decisions "ecwindow"). */
import {
  type WindowFilterName,
  type WindowSearchRequest,
  WINDOW_FILTER_RANGES,
  WORKING_IONS,
} from '@unitcell/contract/ecwindow';
import { isElementSymbol } from '@unitcell/elements';
import { AppError } from '../../messages/app-error.ts';

export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

export interface WindowFilters {
  readonly workingIons: readonly string[];
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  /** Only the sliders that were moved. */
  readonly ranges: Readonly<Partial<Record<WindowFilterName, ValueRange>>>;
}

const SEPARATORS = /[\s,;\-–—]+/;

const tokensOf = (text: string | null | undefined): string[] => [
  ...new Set((text ?? '').split(SEPARATORS).filter((token) => token !== '')),
];

/** @throws AppError search.unknown-elements */
function readElements(text: string | null | undefined): string[] {
  const symbols = tokensOf(text);
  const unknown = symbols.filter((symbol) => !isElementSymbol(symbol));
  if (unknown.length > 0)
    throw new AppError('search.unknown-elements', {
      symbols: unknown
        .slice(0, 5)
        .map((symbol) => symbol.slice(0, 20))
        .join(', '),
    });
  return symbols;
}

/** @throws AppError ecwindow.unknown-ion */
export function readWorkingIons(text: string | null | undefined): string[] {
  const ions = tokensOf(text);
  const known: readonly string[] = WORKING_IONS;
  const unknown = ions.find((ion) => !known.includes(ion));
  if (unknown !== undefined)
    throw new AppError('ecwindow.unknown-ion', { text: unknown.slice(0, 20), known: known.join(', ') });
  return ions.length > 0 ? ions : [WORKING_IONS[0]];
}

/** Null where nothing is filtered: empty, 0, or the whole range of the slider. */
function readRange(field: WindowFilterName, given: WindowSearchRequest[WindowFilterName]): ValueRange | null {
  if (given === undefined || given === null || given === 0) return null;
  const parts = Array.isArray(given)
    ? given.map((value) => String(value).trim())
    : String(given)
        .replace(/[[\]\s]/g, '')
        .split(',');
  if (parts.every((part) => part === '')) return null;
  const [min = Number.NaN, max = Number.NaN, ...rest] = parts.map((part) =>
    part === '' ? Number.NaN : Number(part),
  );
  if (!(min <= max) || rest.length > 0)
    throw new AppError('ecwindow.bad-range', { field, text: JSON.stringify(given).slice(0, 60) });
  const whole = WINDOW_FILTER_RANGES[field];
  return min === whole.min && max === whole.max ? null : { min, max };
}

/** @throws AppError ecwindow.unknown-ion, ecwindow.bad-range, search.unknown-elements */
export function readWindowFilters(request: Omit<WindowSearchRequest, 'include'>): WindowFilters {
  const fields = Object.keys(WINDOW_FILTER_RANGES) as WindowFilterName[];
  return {
    workingIons: readWorkingIons(request.collapse_work_ion),
    included: readElements(request.collapse_included_elements),
    excluded: readElements(request.collapse_excluded_elements),
    ranges: Object.fromEntries(
      fields.flatMap((field) => {
        const range = readRange(field, request[field]);
        return range === null ? [] : [[field, range]];
      }),
    ),
  };
}

/** Whether anything narrows the search besides what was typed in the search box. */
export const isNarrowed = ({ included, excluded, ranges }: WindowFilters): boolean =>
  included.length > 0 || excluded.length > 0 || Object.keys(ranges).length > 0;
