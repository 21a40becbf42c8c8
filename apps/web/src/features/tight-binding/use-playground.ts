/** Page state: a lattice and its controls, kept in the address. */
import { findNet, loadAllNets, type Net, netById } from '@unitcell/tight-binding';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressState } from '../../lib/use-address-state.ts';
import {
  type Controls,
  DEFAULT_GRID,
  defaultControls,
  gridOf,
  readControls,
  writeAddress,
} from './link-state.ts';

/** Update the address only when a slider stops, because browsers limit how often it may change. */
const ADDRESS_REST_MS = 300;

type Reading = ReturnType<typeof readControls>;

/**
 * The lattice with this id. An id outside the built-in list is looked up in the full enumeration. While that
 * loads, and for an unknown id, the lattice is kgm.
 */
function useNet(id: string) {
  const named = findNet(id);
  const [looked, setLooked] = useState<{ readonly id: string; readonly net: Net | null } | null>(null);
  const isMissing = named === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isGone = false;
    const look = async (): Promise<void> => {
      let net: Net | null = null;
      try {
        net = (await loadAllNets()).find((own) => own.id.toLowerCase() === id.toLowerCase()) ?? null;
      } finally {
        if (!isGone) setLooked({ id, net });
      }
    };
    // If the list fails to load, the lattice stays unknown and the page says so.
    look().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [id, isMissing]);
  if (named) return { net: named, isLoading: false, unknownId: null };
  const net = looked?.id === id ? looked.net : undefined;
  return {
    net: net ?? netById(DEFAULT_GRID),
    isLoading: net === undefined,
    /** An unknown lattice id from the address, if any. */
    unknownId: net === null ? id : null,
  };
}

export type Playground = ReturnType<typeof usePlayground>;

export function usePlayground() {
  const [address] = useSearchParams();
  const { net, isLoading, unknownId } = useNet(gridOf(address));
  const isReadable = !isLoading && unknownId === null;
  const { state, change, go } = useAddressState<Reading>({
    scope: isLoading ? `${net.id} …` : net.id,
    read: (text) => (isReadable ? readControls(text, net) : { controls: defaultControls(net), faults: [] }),
    write: ({ controls }) => writeAddress(net, controls),
    restMs: ADDRESS_REST_MS,
  });
  const { rule } = state.controls;
  return {
    net,
    controls: state.controls,
    isLoadingNet: isLoading,
    unknownId,
    /** Invalid parts of the link. */
    faults: state.faults,
    change: useCallback(
      (part: Partial<Controls>): void =>
        change(({ controls }) => ({ controls: { ...controls, ...part }, faults: [] }), { isReplacing: true }),
      [change],
    ),
    /** Switches the lattice and resets both ratios to −1. */
    pick: useCallback((next: Net): void => go(writeAddress(next, defaultControls(next, rule))), [go, rule]),
  };
}
