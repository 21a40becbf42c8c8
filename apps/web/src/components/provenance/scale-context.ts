/** Context for the energy scale of a page part and the release of its hulls. */
import { createContext } from 'react';

export interface ShownScale {
  readonly scale: string;
  readonly release: number | null;
}

export const ScaleContext = createContext<ShownScale | null>(null);
