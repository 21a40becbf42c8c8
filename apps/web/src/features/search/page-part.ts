/** Shared by the search and filter pages: input state, the interface to the page, and changes of the filter. */
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

/** Passed from the page to a part. */
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

/** Passed from a part to the page. */
export interface PagePart {
  /** True if results are shown or loading: the heading shrinks and the elements collapse, so that nothing moves on arrival. */
  readonly hasResults: boolean;
  /** Number of active filters. */
  readonly filters: number;
  readonly onSearch: () => void;
  readonly onElement: (symbol: string) => void;
  readonly belowBox: ReactNode;
  /** Content between the elements and the results. */
  readonly above: ReactNode;
  readonly results: ReactNode;
}

/** The text of the search box before it is submitted. */
export function useSearchBox(state: SearchState) {
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Back and forward change the address; the box follows.
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

/** Changes the filter. The first change turns a search into a filter. */
export function useEditFilter({ change, write, said, calculated, mode }: EditFilterInput) {
  const { conditions, text } = said;
  const setText = useCallback(
    (filter: string) => {
      // The typed or picked text is now part of the filter.
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
      // Removing a column also removes its conditions, plots and sort order.
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
