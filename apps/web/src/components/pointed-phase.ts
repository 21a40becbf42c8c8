/**
 * The phase under the pointer. On the stability page all diagrams of a system mark it; elsewhere a diagram marks only
 * its own phase.
 */
import { createContext, useContext } from 'react';

export interface PointedPhase {
  /** Formula as databases display it; null while the pointer is elsewhere. */
  readonly formula: string | null;
  readonly point: (formula: string | null) => void;
}

export const PointedPhaseContext = createContext<PointedPhase>({ formula: null, point: () => undefined });

export const usePointedPhase = (): PointedPhase => useContext(PointedPhaseContext);
