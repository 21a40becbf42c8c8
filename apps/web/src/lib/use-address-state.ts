/**
 * The state of a page, kept in its address. It is true here at once and the address follows: the router answers when its
 * guards have run, and a control fed by the address alone springs back meanwhile and loses what is done next.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';

interface AddressStateOptions<State> {
  /** Anything unreadable falls back to its default: an address never breaks a page. */
  readonly read: (parameters: URLSearchParams) => State;
  readonly write: (state: State) => URLSearchParams;
  /** What else the reading depends on; another scope reads the address anew. */
  readonly scope?: string;
  /** ms a state rests before the address follows, for what moves all the time; at once when absent. */
  readonly restMs?: number;
}

interface ChangeOptions {
  /** No step of its own in the history. */
  readonly isReplacing?: boolean;
}

export type ChangeState<State> = (change: (now: State) => State, options?: ChangeOptions) => void;

export interface AddressState<State> {
  readonly state: State;
  /** Stays the same function: one kept from an earlier rendering, as a drag keeps it, changes the state of today. */
  readonly change: ChangeState<State>;
  /** Goes to another state's address, which is then read. */
  readonly go: (parameters: URLSearchParams) => void;
}

interface Held<State> {
  readonly state: State;
  /** Addresses under which the state holds: the present one, then those on their way. */
  readonly keys: readonly string[];
}

export function useAddressState<State>(options: AddressStateOptions<State>): AddressState<State> {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const keyOf = (address: URLSearchParams): string => `${options.scope ?? ''} ${address.toString()}`;
  const key = keyOf(parameters);
  const [held, setHeld] = useState<Held<State>>(() => ({ state: options.read(parameters), keys: [key] }));
  let current = held;
  // The last of several: an address given up for a newer one never arrives.
  const place = held.keys.lastIndexOf(key);
  if (place !== 0) {
    current =
      place > 0
        ? { state: held.state, keys: held.keys.slice(place) }
        : // Somebody else's: back, forward, a link.
          { state: options.read(parameters), keys: [key] };
    setHeld(current);
  }

  // What callbacks of earlier renderings need to know of today.
  const latest = useRef({ ...options, keyOf, state: current.state });
  useLayoutEffect(() => {
    latest.current = { ...options, keyOf, state: current.state };
  });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const follow = useCallback(
    (isReplacing: boolean) => {
      const { state, write, keyOf: keyNow } = latest.current;
      const next = write(state);
      setHeld((now) => ({ ...now, keys: [...now.keys, keyNow(next)] }));
      void navigate(`?${next.toString()}`, { replace: isReplacing, preventScrollReset: true });
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
      clearTimeout(timer.current);
      void navigate(`?${address.toString()}`, { preventScrollReset: true });
    },
    [navigate],
  );
  return { state: current.state, change, go };
}
