/** What takes long to draw, drawn in slices between which a finger is heard; something else stands there until all of it is. */
import { type ReactNode, useDeferredValue } from 'react';

interface InSlicesProps {
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}

export function InSlices({ waiting, children }: InSlicesProps) {
  const isTurn = useDeferredValue(true, false);
  return isTurn ? children : waiting;
}
