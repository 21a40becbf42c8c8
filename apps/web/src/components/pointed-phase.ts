/** The phase at which a visitor points: all diagrams of one system mark it. Diagrams outside such a page mark only their own. */
import { createContext, useContext } from 'react';

export interface PointedPhase {
  /** Formula as databases display it; null while the pointer is elsewhere. */
  readonly formula: string | null;
  readonly point: (formula: string | null) => void;
}

export const PointedPhaseContext = createContext<PointedPhase>({ formula: null, point: () => undefined });

export const usePointedPhase = (): PointedPhase => useContext(PointedPhaseContext);
