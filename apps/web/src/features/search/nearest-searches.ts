/** Searches near one that found nothing: the chemical system, what it is part of, its parts, and one element fewer. */
import { comparison } from '@unitcell/filter';
import { selectedElements, type SearchType, WILDCARD } from '../../components/search-form/search-input.ts';
import { type Conditions, textOfConditions, withElements } from '../../components/filter/conditions.ts';

export interface NearSearch {
  readonly kind: 'system' | 'atLeast' | 'within' | 'without';
  /** Elements it is of; for `without` the one left out. */
  readonly symbols: readonly string[];
  /** What it finds, in the filter language. */
  readonly filter: string;
  readonly address: string;
}

/** Of more elements none are left out one by one. */
export const MOST_LEFT_OUT = 6;

const found = (with_: readonly string[], more: Conditions = []): string =>
  textOfConditions([...withElements([], { with: with_, without: [], only: [] }), ...more]);
const exactly = (symbols: readonly string[]): string =>
  found(symbols, [comparison('nelements', '=', symbols.length)]);
const searchFor = (symbols: readonly string[], isOpen: boolean): string =>
  `/matdata?${new URLSearchParams({ q: [...symbols, ...(isOpen ? [WILDCARD] : [])].join('-') }).toString()}`;

/** @param basis what was searched for: elements with spaces or hyphens between, or a formula */
export function nearestSearches(type: SearchType, basis: string): readonly NearSearch[] {
  const input = type === 'elements' ? basis.replaceAll(' ', '-') : basis;
  const symbols = selectedElements(type, input);
  if (type === 'struct_id' || symbols.length === 0) return [];
  const isOpen = type === 'elements' && input.includes(WILDCARD);
  const whole: NearSearch[] = isOpen
    ? []
    : [
        ...(type === 'formula'
          ? [
              {
                kind: 'system',
                symbols,
                filter: exactly(symbols),
                address: searchFor(symbols, false),
              } as const,
            ]
          : []),
        { kind: 'atLeast', symbols, filter: found(symbols), address: searchFor(symbols, true) },
      ];
  const only = textOfConditions(withElements([], { with: [], without: [], only: symbols }));
  const within: NearSearch = {
    kind: 'within',
    symbols,
    filter: only,
    address: `/matdata?${new URLSearchParams({ filter: only }).toString()}`,
  };
  const fewer =
    type === 'formula' || symbols.length < 2 || symbols.length > MOST_LEFT_OUT
      ? []
      : symbols.map((left): NearSearch => {
          const others = symbols.filter((symbol) => symbol !== left);
          return {
            kind: 'without',
            symbols: [left],
            filter: isOpen ? found(others) : exactly(others),
            address: searchFor(others, isOpen),
          };
        });
  return [...whole, ...(symbols.length > 1 ? [within] : []), ...fewer];
}
