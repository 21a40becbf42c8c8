/**
 * The state of a page, kept in its address. The state changes at once and the address is updated later: the router
 * updates it only after its guards have run. A control bound to the address alone would jump back until then and lose
 * the next input.
 */
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';

/** A query string in which commas are not escaped, because this is allowed and easier to read. */
export const readableQuery = (parameters: URLSearchParams): string =>
  parameters.toString().replaceAll('%2C', ',');

interface AddressStateOptions<State> {
  /** Unreadable values fall back to their defaults: an address never breaks a page. */
  readonly read: (parameters: URLSearchParams) => State;
  readonly write: (state: State) => URLSearchParams;
  /** Any further input of `read`. When it changes, the address is read again. */
  readonly scope?: string;
  /** Delay in ms before the address is updated, for states that change continuously; default: no delay. */
  readonly restMs?: number;
}

interface ChangeOptions {
  /** Replaces the current history entry instead of adding one. */
  readonly isReplacing?: boolean;
}

export type ChangeState<State> = (change: (now: State) => State, options?: ChangeOptions) => void;

export interface AddressState<State> {
  readonly state: State;
  /** Referentially stable. A function from an earlier rendering, as during a drag, still changes the current state. */
  readonly change: ChangeState<State>;
  /** Navigates to the given address, from which the state is then read. */
  readonly go: (parameters: URLSearchParams) => void;
}

interface Held<State> {
  readonly state: State;
  /**
   * Addresses for which the state is valid: the current address, then addresses to which the router has yet to
   * navigate.
   */
  readonly keys: readonly string[];
}

export function useAddressState<State>(options: AddressStateOptions<State>): AddressState<State> {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const keyOf = (address: URLSearchParams): string => `${options.scope ?? ''} ${address.toString()}`;
  const key = keyOf(parameters);
  // Not `useState`: after a click, React may compute its value from a rendering that the click interrupted.
  // The page of the previous address would then appear for a moment.
  const [held, setHeld] = useReducer(
    (now: Held<State>, change: (now: Held<State>) => Held<State>) => change(now),
    parameters,
    (address) => ({ state: options.read(address), keys: [key] }),
  );
  let current = held;
  // The address may equal several keys: the last one counts, because a replaced address never arrives.
  const place = held.keys.lastIndexOf(key);
  if (place !== 0) {
    current =
      place > 0
        ? { state: held.state, keys: held.keys.slice(place) }
        : // Changed by other code: back, forward, a link.
          { state: options.read(parameters), keys: [key] };
    const next = current;
    setHeld(() => next);
  }

  // Current values for callbacks of earlier renderings.
  const latest = useRef({ ...options, keyOf, state: current.state });
  useLayoutEffect(() => {
    latest.current = { ...options, keyOf, state: current.state };
  });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // What arrives after the page was left, such as the contents of a file, must not change the address of the next page.
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    // A link may be followed before the delay is over. The router drops a navigation if a later one overtakes
    // it, so the address is written into the history entry itself, to which Back returns.
    const writeBeforeLink = ({ target }: MouseEvent): void => {
      if (
        timer.current === undefined ||
        !(target instanceof Element && target.closest('a[href]:not([target])'))
      )
        return;
      const { state, write } = latest.current;
      history.replaceState(history.state, '', `?${readableQuery(write(state))}`);
    };
    document.addEventListener('click', writeBeforeLink, true);
    return () => {
      isLeft.current = true;
      clearTimeout(timer.current);
      document.removeEventListener('click', writeBeforeLink, true);
    };
  }, []);

  const follow = useCallback(
    (isReplacing: boolean) => {
      timer.current = undefined;
      if (isLeft.current) return;
      const { state, write, keyOf: keyNow } = latest.current;
      const next = write(state);
      setHeld((now) => ({ ...now, keys: [...now.keys, keyNow(next)] }));
      void navigate(`?${readableQuery(next)}`, { replace: isReplacing, preventScrollReset: true });
    },
    [navigate],
  );
  const change = useCallback<ChangeState<State>>(
    (update, { isReplacing = false } = {}) => {
      const { state: before, restMs } = latest.current;
      const state = update(before);
      latest.current = { ...latest.current, state };
      setHeld((now) => ({ ...now, state }));
      clearTimeout(timer.current);
      if (restMs === undefined) follow(isReplacing);
      else timer.current = setTimeout(() => follow(isReplacing), restMs);
    },
    [follow],
  );
  const go = useCallback(
    (address: URLSearchParams) => {
      if (isLeft.current) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      void navigate(`?${readableQuery(address)}`, { preventScrollReset: true });
    },
    [navigate],
  );
  return { state: current.state, change, go };
}
