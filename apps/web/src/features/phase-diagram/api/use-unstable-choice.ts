/** The choice of unstable phases in the address. Other parameters of the address are left unchanged. */
import { useCallback, useMemo } from 'react';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { readUnstable, type UnstableChoice, unstableParameters } from '../view-model.ts';

const keep = (parameters: URLSearchParams): URLSearchParams => parameters;

export function useUnstableChoice(): readonly [UnstableChoice, (choice: UnstableChoice) => void] {
  const { state: parameters, change } = useAddressState({ read: keep, write: keep, restMs: 150 });
  const setChoice = useCallback(
    (choice: UnstableChoice) =>
      change(
        (now) => {
          const others = [...now].filter(([name]) => name !== 'unstable' && name !== 'above');
          return new URLSearchParams([...others, ...Object.entries(unstableParameters(choice))]);
        },
        { isReplacing: true },
      ),
    [change],
  );
  return [useMemo(() => readUnstable(parameters), [parameters]), setChoice];
}
