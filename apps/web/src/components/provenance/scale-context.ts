/** The energy scale that the numbers of a part of a page stand on, and the rebuild their hulls are of. */
import { createContext } from 'react';

export interface ShownScale {
  readonly scale: string;
  readonly release: number | null;
}

export const ScaleContext = createContext<ShownScale | null>(null);
