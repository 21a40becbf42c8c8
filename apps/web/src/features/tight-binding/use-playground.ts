/** The state of the page: a lattice and its controls, kept in the address. */
import { findNet, loadAllNets, type Net, netById } from '@unitcell/tight-binding';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  type Controls,
  DEFAULT_GRID,
  defaultControls,
  type Field,
  gridOf,
  readControls,
  writeAddress,
} from './link-state.ts';

/** The address follows a slider once it rests: browsers refuse more than a few changes a second. */
const ADDRESS_DELAY_MS = 300;

interface Found {
  readonly net: Net;
  readonly isLoading: boolean;
  /** Id that nothing is called. */
  readonly unknownId: string | null;
}

/** The lattice of that name, looked up in the full enumeration when it is no named one; kgm meanwhile and otherwise. */
function useNet(id: string): Found {
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
    // A list that does not load leaves the lattice unknown, which the page says.
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
    unknownId: net === null ? id : null,
  };
}

export interface Playground {
  readonly net: Net;
  readonly controls: Controls;
  readonly isLoadingNet: boolean;
  readonly unknownId: string | null;
  /** Parts of the link that could not be read. */
  readonly faults: readonly Field[];
  readonly change: (change: Partial<Controls>) => void;
  /** Another lattice: both ratios go back to −1. */
  readonly pick: (net: Net) => void;
}

export function usePlayground(): Playground {
  const [address, setAddress] = useSearchParams();
  const { net, isLoading, unknownId } = useNet(gridOf(address));
  const text = address.toString();
  // Read anew when somebody else changes the address: back, forward, a link.
  const read = useMemo(
    () => ({
      net,
      text,
      ...(!isLoading && unknownId === null
        ? readControls(new URLSearchParams(text), net)
        : { controls: defaultControls(net), faults: [] }),
    }),
    [net, text, isLoading, unknownId],
  );
  const [own, setOwn] = useState<{ readonly of: readonly string[]; readonly controls: Controls } | null>(
    null,
  );
  const key = `${net.id} ${text}`;
  const controls = own?.of.includes(key) ? own.controls : read.controls;

  const change = useCallback(
    (part: Partial<Controls>) =>
      setOwn((now) => ({
        of: [key],
        controls: { ...(now?.of.includes(key) ? now.controls : read.controls), ...part },
      })),
    [key, read.controls],
  );
  const pick = useCallback(
    (next: Net) =>
      setAddress(writeAddress(next, defaultControls(next, controls.rule)), { preventScrollReset: true }),
    [setAddress, controls.rule],
  );
  const isChanged = own?.of.includes(key) === true;
  useEffect(() => {
    if (!isChanged) return undefined;
    const timer = setTimeout(() => {
      const next = writeAddress(net, controls);
      // The controls go on under the new address.
      setOwn((now) => ({ of: [...(now?.of ?? []).slice(-1), `${net.id} ${next.toString()}`], controls }));
      setAddress(next, { replace: true, preventScrollReset: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isChanged, net, controls, setAddress]);
  return { net, controls, isLoadingNet: isLoading, unknownId, faults: read.faults, change, pick };
}
