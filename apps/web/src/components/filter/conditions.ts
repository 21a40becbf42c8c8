/**
 * The filter as the controls of the page see it. Each control reads and writes only its own conditions. Conditions that no
 * control handles stay in the filter and are shown as text.
 */
import { allOf, comparison, conditionsOf, type Filter, parseFilter, printFilter } from '@unitcell/filter';
import { stableInOxygen } from '@unitcell/contract/matdata/rules';
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import { findProblem, type SearchType, selectedElements, WILDCARD } from '../search-form/search-form.tsx';

export type Conditions = readonly Filter[];

export interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

export interface ElementChoice {
  readonly with: readonly string[];
  readonly without: readonly string[];
  /** The material consists of only these elements; empty if there is no such condition. */
  readonly only: readonly string[];
}

export type ElementMode = keyof ElementChoice;

/** Parses a filter text into conditions; null if it is invalid. */
export function conditionsOfText(text: string): Conditions | null {
  if (text.trim() === '') return [];
  try {
    return withoutReversedRanges(conditionsOf(parseFilter(text).tree));
  } catch {
    return null;
  }
}

export function textOfConditions(conditions: Conditions): string {
  const tree = allOf(conditions);
  return tree === null ? '' : printFilter(tree);
}

const replaced = (conditions: Conditions, isOwn: (term: Filter) => boolean, own: Conditions): Conditions => {
  const place = conditions.findIndex(isOwn);
  const others = conditions.filter((term) => !isOwn(term));
  // A changed condition keeps its position.
  return place < 0 ? [...others, ...own] : [...others.slice(0, place), ...own, ...others.slice(place)];
};

// ── ranges ──

const isRange = (property: string) => (term: Filter) =>
  term.kind === 'compare' &&
  term.property === property &&
  'value' in term.to &&
  typeof term.to.value === 'number' &&
  term.operator !== '!=';

export function rangeOf(conditions: Conditions, property: string): Range {
  let [from, to]: [number | null, number | null] = [null, null];
  for (const term of conditions.filter(isRange(property))) {
    if (term.kind !== 'compare' || !('value' in term.to)) continue;
    const value = Number(term.to.value);
    if (!term.operator.startsWith('<')) from = Math.max(value, from ?? value);
    if (!term.operator.startsWith('>')) to = Math.min(value, to ?? value);
  }
  return { from, to };
}

/** Swaps reversed ends, because an empty range is never intended. */
export function withRange(conditions: Conditions, property: string, range: Range): Conditions {
  const isReversed = range.from !== null && range.to !== null && range.from > range.to;
  const [from, to] = isReversed ? [range.to, range.from] : [range.from, range.to];
  const own =
    from !== null && from === to
      ? [comparison(property, '=', from)]
      : [
          ...(from === null ? [] : [comparison(property, '>=', from)]),
          ...(to === null ? [] : [comparison(property, '<=', to)]),
        ];
  return replaced(conditions, isRange(property), own);
}

/** Swaps the ends of ranges that were typed in reverse, as the controls do. */
const withoutReversedRanges = (all: Conditions): Conditions =>
  all.reduce((now, term) => {
    if (term.kind !== 'compare' || !isRange(term.property)(term) || term.operator === '=') return now;
    const range = rangeOf(now, term.property);
    const isReversed = range.from !== null && range.to !== null && range.from > range.to;
    return isReversed ? withRange(now, term.property, range) : now;
  }, all);

// ── choices among texts ──

const isEqual = (property: string) => (term: Filter) =>
  term.kind === 'compare' &&
  term.property === property &&
  term.operator === '=' &&
  'value' in term.to &&
  typeof term.to.value === 'string';

const isChoice = (property: string) => (term: Filter) =>
  isEqual(property)(term) || (term.kind === 'or' && term.terms.every(isEqual(property)));

export const choicesOf = (conditions: Conditions, property: string): readonly string[] =>
  conditions
    .filter(isChoice(property))
    .flatMap((term) => (term.kind === 'or' ? term.terms : [term]))
    .flatMap((term) => (term.kind === 'compare' && 'value' in term.to ? [String(term.to.value)] : []));

export function withChoices(conditions: Conditions, property: string, values: readonly string[]): Conditions {
  const terms = values.map((value) => comparison(property, '=', value));
  const own: Conditions = terms.length > 1 ? [{ kind: 'or', terms }] : terms;
  return replaced(conditions, isChoice(property), own);
}

// ── flags ──

const isFlag = (property: string) => (term: Filter) =>
  term.kind === 'compare' && term.property === property && 'value' in term.to && term.to.value === true;

export const flagOf = (conditions: Conditions, property: string): boolean =>
  conditions.some(isFlag(property));

export const withFlag = (conditions: Conditions, property: string, isOn: boolean): Conditions =>
  replaced(conditions, isFlag(property), isOn ? [comparison(property, '=', true)] : []);

// ── oxygen ──

const oxygenTerms = (potential: number): Conditions => conditionsOfText(stableInOxygen(potential)) ?? [];

/** The potential of oxygen at which the materials are stable, eV per O; null without such conditions. */
export function oxygenOf(conditions: Conditions): number | null {
  const texts = conditions.map(printFilter);
  const { from } = rangeOf(conditions, 'oxygen_potential_max');
  const isSo = from !== null && oxygenTerms(from).every((term) => texts.includes(printFilter(term)));
  return isSo ? from : null;
}

export function withOxygen(conditions: Conditions, potential: number | null): Conditions {
  const now = oxygenOf(conditions);
  const old = now === null ? [] : oxygenTerms(now).map(printFilter);
  const own = potential === null ? [] : oxygenTerms(potential);
  return replaced(conditions, (term) => old.includes(printFilter(term)), own);
}

// ── elements ──

const symbolsOf = (term: Filter): readonly string[] =>
  term.kind === 'has' ? term.tests.flatMap((parts) => parts.map(({ value }) => String(value))) : [];

function elementMode(term: Filter): ElementMode | null {
  const inner = term.kind === 'not' ? term.term : term;
  if (inner.kind !== 'has' || inner.properties.join() !== 'elements') return null;
  if (inner.tests.some((parts) => parts.some(({ operator }) => operator !== '='))) return null;
  const { match } = inner;
  if (term.kind === 'not') return match === 'one' || match === 'any' ? 'without' : null;
  if (match === 'only') return 'only';
  return match === 'any' && inner.tests.length > 1 ? null : 'with';
}

const isElements = (term: Filter): boolean => elementMode(term) !== null;

export function elementsOf(conditions: Conditions): ElementChoice {
  const of = (mode: ElementMode): readonly string[] => [
    ...new Set(
      conditions
        .filter((term) => elementMode(term) === mode)
        .flatMap((term) => symbolsOf(term.kind === 'not' ? term.term : term)),
    ),
  ];
  return { with: of('with'), without: of('without'), only: of('only') };
}

const has = (match: 'all' | 'any' | 'only', symbols: readonly string[]): Filter => ({
  kind: 'has',
  properties: ['elements'],
  match: symbols.length === 1 && match !== 'only' ? 'one' : match,
  tests: symbols.map((value) => [{ operator: '=', value }]),
});

export const withElements = (conditions: Conditions, choice: ElementChoice): Conditions =>
  replaced(conditions, isElements, [
    ...(choice.with.length > 0 ? [has('all', choice.with)] : []),
    ...(choice.only.length > 0 ? [has('only', choice.only)] : []),
    ...(choice.without.length > 0 ? [{ kind: 'not', term: has('any', choice.without) } as const] : []),
  ]);

/** Toggles an element: removes it from the list it is in, else adds it to the list of `mode`. */
export function toggledElement(choice: ElementChoice, symbol: string, mode: ElementMode): ElementChoice {
  const isChosen = choice[mode].includes(symbol);
  const out = (list: readonly string[]) => list.filter((other) => other !== symbol);
  const cleared = { with: out(choice.with), without: out(choice.without), only: out(choice.only) };
  return isChosen ? cleared : { ...cleared, [mode]: [...cleared[mode], symbol] };
}

// ── conditions without a control ──

/** The display form of a condition as a chip. */
export type Chip =
  | { readonly kind: 'element'; readonly symbol: string; readonly mode: ElementMode }
  | { readonly kind: 'range'; readonly property: string; readonly range: Range }
  | { readonly kind: 'choice'; readonly property: string; readonly value: string }
  | { readonly kind: 'flag'; readonly property: string }
  | { readonly kind: 'known'; readonly property: string; readonly isKnown: boolean }
  /** Stable at this potential of oxygen. */
  | { readonly kind: 'oxygen'; readonly potential: number }
  | { readonly kind: 'other'; readonly text: string };

export function chipsOf(conditions: Conditions): readonly Chip[] {
  const elements = elementsOf(conditions);
  const chips: Chip[] = (['with', 'only', 'without'] as const).flatMap((mode) =>
    elements[mode].map((symbol): Chip => ({ kind: 'element', symbol, mode })),
  );
  const ranges = new Set<string>();
  const potential = oxygenOf(conditions);
  if (potential !== null) chips.push({ kind: 'oxygen', potential });
  for (const term of withOxygen(conditions, null)) {
    if (isElements(term)) continue;
    if (term.kind === 'compare' && isRange(term.property)(term)) {
      if (!ranges.has(term.property))
        chips.push({ kind: 'range', property: term.property, range: rangeOf(conditions, term.property) });
      ranges.add(term.property);
      continue;
    }
    if (term.kind === 'known') {
      chips.push({ kind: 'known', property: term.property, isKnown: term.isKnown });
      continue;
    }
    const [first] = term.kind === 'or' ? term.terms : [term];
    const property = first?.kind === 'compare' ? first.property : '';
    if (property !== '' && isChoice(property)(term))
      chips.push(...choicesOf([term], property).map((value): Chip => ({ kind: 'choice', property, value })));
    else if (property !== '' && isFlag(property)(term)) chips.push({ kind: 'flag', property });
    else chips.push({ kind: 'other', text: printFilter(term) });
  }
  return chips;
}

/** Returns the conditions without those of a chip. */
export function withoutChip(conditions: Conditions, chip: Chip): Conditions {
  switch (chip.kind) {
    case 'element':
      return withElements(conditions, toggledElement(elementsOf(conditions), chip.symbol, chip.mode));
    case 'range':
      return withRange(conditions, chip.property, { from: null, to: null });
    case 'choice':
      return withChoices(
        conditions,
        chip.property,
        choicesOf(conditions, chip.property).filter((value) => value !== chip.value),
      );
    case 'flag':
      return withFlag(conditions, chip.property, false);
    case 'oxygen':
      return withOxygen(conditions, null);
    case 'known':
      return conditions.filter(
        (term) => term.kind !== 'known' || term.property !== chip.property || term.isKnown !== chip.isKnown,
      );
    default:
      return conditions.filter((term) => printFilter(term) !== chip.text);
  }
}

// Converts a search by elements, formula or id to conditions, for the counts in the sidebar and for adding a
// filter to a search.

/**
 * @param isExact true: exactly these elements, as in a search without `*`; false: at least these, while elements are
 * picked
 */
export function conditionsOfSearch(type: SearchType, input: string, isExact: boolean): Conditions {
  if (input.trim() === '' || findProblem(type, input) !== null) return [];
  if (type === 'struct_id') {
    const id = Number(input.trim());
    return Number.isSafeInteger(id) ? [comparison('struct_id', '=', id)] : [];
  }
  if (type === 'formula') return [comparison('formula_reduced', '=', reducedFormula(parseFormula(input)))];
  const symbols = selectedElements(type, input);
  if (symbols.length === 0) return [];
  const elements = withElements([], { with: symbols, without: [], only: [] });
  return isExact && !input.includes(WILDCARD)
    ? [...elements, comparison('nelements', '=', symbols.length)]
    : elements;
}
