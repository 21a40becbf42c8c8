/** Files exported from what stands on one energy scale name the scale and the release of its hulls. */
import type { EnergyScale } from '@unitcell/contract';
import { type ReactNode, useMemo } from 'react';
import type { OriginFact } from '../../lib/file-origin.ts';
import { FileOrigin } from '../file-origin.tsx';

interface ScaleOriginProps {
  readonly scale: EnergyScale;
  readonly children: ReactNode;
}

export function ScaleOrigin({ scale: { functional, release }, children }: ScaleOriginProps) {
  const facts = useMemo(
    (): readonly OriginFact[] => [
      ['scale', functional],
      ...(release === null ? [] : [['release', `${release.id} of ${release.date.slice(0, 10)}`] as const]),
      [
        'source',
        'calculated by Unitcell from the energies of the phases; the source and licence of each are on its page',
      ],
    ],
    [functional, release],
  );
  return <FileOrigin facts={facts}>{children}</FileOrigin>;
}
