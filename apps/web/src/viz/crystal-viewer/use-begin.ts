/**
 * When a stage begins to draw in space: a graphics context costs a slow machine a second, the still drawing nothing.
 * With a mouse in an idle turn once the stage is near the window, or as soon as the pointer comes; under a finger, which
 * passes by more often than it turns a crystal, with the first tap.
 */
import { type RefObject, useEffect } from 'react';
import { useIdleTurn } from '../../lib/use-idle-turn.ts';
import { useNear } from '../../lib/use-near.ts';
import type { StageController } from './stage-controller.ts';

/** A page has more parts that wait for a turn. */
const LONGEST_TURN_MS = 300;

const isTouched = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** @param hasStill false: there is no still drawing, so it begins at once */
export function useBegin(
  frame: RefObject<HTMLElement | null>,
  controller: StageController | null,
  hasStill: boolean,
): void {
  const isNear = useNear(frame);
  const hasTurn = useIdleTurn(LONGEST_TURN_MS);
  const isDue = !hasStill || (isNear && hasTurn && !isTouched());
  useEffect(() => {
    const element = frame.current;
    if (!controller || !element) return undefined;
    if (isDue) {
      controller.begin();
      return undefined;
    }
    const begin = (event: Event): void => {
      if (!(event instanceof PointerEvent) || event.type === 'click' || event.pointerType !== 'touch')
        controller.begin();
    };
    const WANTED = ['pointerenter', 'click', 'keydown'] as const;
    for (const event of WANTED) element.addEventListener(event, begin, { capture: true });
    return () => {
      for (const event of WANTED) element.removeEventListener(event, begin, { capture: true });
    };
  }, [frame, controller, isDue]);
}
