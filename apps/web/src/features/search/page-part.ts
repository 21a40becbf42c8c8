/** What the page of a search and the page of a filter share: what is typed, what the page hands to them, and how a filter changes. */
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { ChangeView } from '../../components/data-table/columns.ts';
import {
  type Conditions,
  type ElementMode,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
} from '../../components/filter/conditions.ts';
import type { Picked } from '../../components/materials/use-picked.ts';
import { findProblem, type SearchType, toggleElement } from '../../components/search-form/search-input.ts';
import type { ChangeState } from '../../lib/use-address-state.ts';
import type { SearchStatement, useScreened } from './use-screen.ts';
import { type SearchState, splitNames } from './view-model.ts';

/** What the page hands to a part. */
export interface PageState {
  readonly state: SearchState;
  readonly change: ChangeState<SearchState>;
  readonly changeView: ChangeView;
  readonly box: ReturnType<typeof useSearchBox>;
  readonly said: SearchStatement;
  readonly asked: ReturnType<typeof useScreened>;
  readonly edit: ReturnType<typeof useEditFilter>;
  readonly mode: ElementMode;
  readonly selection: Picked['selection'];
}

/** What a part hands to the page. */
export interface PagePart {
  /** Results are shown or on their way: the heading shrinks and the elements fold, so that nothing moves when they come. */
  readonly hasResults: boolean;
  /** Number of filters that are active. */
  readonly filters: number;
  readonly onSearch: () => void;
  readonly onElement: (symbol: string) => void;
  readonly belowBox: ReactNode;
  /** Between the elements and the results. */
  readonly above: ReactNode;
  readonly results: ReactNode;
}

/** The text of the search box, which is kept here until it is searched for. */
export function useSearchBox(state: SearchState) {
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Back and forward change the address: then the box follows it.
  if (typed.of.query !== state.query || typed.of.type !== state.type)
    setTyped({ type: state.type, input: state.query ?? '', of: state });
  const { type, input } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const write = useCallback((next: string) => setTyped((now) => ({ ...now, input: next })), []);
  const chooseType = useCallback(
    (next: SearchType) => setTyped((now) => ({ ...now, type: next, input: '' })),
    [],
  );
  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  return { type, input, problem, write, chooseType, toggle };
}

interface EditFilterInput {
  readonly change: ChangeState<SearchState>;
  readonly write: (input: string) => void;
  readonly said: SearchStatement;
  readonly calculated: readonly string[];
  readonly mode: ElementMode;
}

/** Changes of the filter. A search becomes a filter by the first of them. */
export function useEditFilter({ change, write, said, calculated, mode }: EditFilterInput) {
  const { conditions, text } = said;
  const setText = useCallback(
    (filter: string) => {
      // What was typed or picked is part of the filter now.
      write('');
      change((now) => ({ ...now, query: null, filter, view: { ...now.view, page: 0 } }));
    },
    [write, change],
  );
  const setConditions = useCallback((next: Conditions) => setText(textOfConditions(next)), [setText]);
  const toggle = useCallback(
    (symbol: string) =>
      setConditions(withElements(conditions, toggledElement(elementsOf(conditions), symbol, mode))),
    [conditions, mode, setConditions],
  );
  const setCalculated = useCallback(
    (names: readonly string[]) => {
      const gone = calculated.filter((name) => !names.includes(name));
      // A column that goes takes its conditions, its place in pictures and the order with it.
      const isGone = (name: string | undefined): boolean => gone.some((other) => other === name);
      const rest = conditions.filter((term) => term.kind !== 'compare' || !isGone(term.property));
      change((now) => ({
        ...now,
        query: null,
        filter: gone.length > 0 ? textOfConditions(rest) : text,
        calculated: names,
        plot: now.plot !== null && splitNames(now.plot).some(isGone) ? null : now.plot,
        heat: isGone(now.heat ?? undefined) ? null : now.heat,
        view: { ...now.view, page: 0, sort: isGone(now.view.sort?.id) ? null : now.view.sort },
      }));
    },
    [calculated, conditions, text, change],
  );
  return { setText, setConditions, toggle, setCalculated };
}
