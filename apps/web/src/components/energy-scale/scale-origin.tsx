/** Wraps content on one energy scale. Files and popovers from inside name the scale and the release of its hulls. */
import type { EnergyScale } from '@unitcell/contract/common';
import { createContext, type ReactNode, useMemo } from 'react';
import type { OriginFact } from '../../lib/file-origin.ts';
import { FileOrigin } from '../file-origin.tsx';

/** The energy scale of a part of a page, and the release of its hulls. */
export const ScaleContext = createContext<{
  readonly scale: string;
  readonly release: number | null;
} | null>(null);

interface ScaleOriginProps {
  readonly scale: EnergyScale;
  readonly children: ReactNode;
}

export function ScaleOrigin({ scale: { functional, release }, children }: ScaleOriginProps) {
  // Each answer has a release object of its own; equal ones must not render the content again.
  const { id = null, date = '' } = release ?? {};
  const facts = useMemo(
    (): readonly OriginFact[] => [
      ['scale', functional],
      ...(id === null ? [] : [['release', `${id} of ${date.slice(0, 10)}`] as const]),
      [
        'source',
        'calculated by Unitcell from the energies of the phases; the source and licence of each are on its page',
      ],
    ],
    [functional, id, date],
  );
  const shown = useMemo(() => ({ scale: functional, release: id }), [functional, id]);
  return (
    <ScaleContext value={shown}>
      <FileOrigin facts={facts}>{children}</FileOrigin>
    </ScaleContext>
  );
}
