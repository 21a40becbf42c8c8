/** A value that components can subscribe to: the smallest store that React supports. */
import { useSyncExternalStore } from 'react';

export interface Observable<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function observable<Value>(initial: Value): Observable<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(current, value)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useObservable = <Value>(store: Observable<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.get);
