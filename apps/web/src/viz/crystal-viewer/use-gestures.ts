/** Touch, mouse, wheel and keys on a stage. A touch drag scrolls the page; after a tap it rotates the crystal. */
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import type { StageController } from './stage-controller.ts';

const DEGREES_PER_PX = 0.45;
const KEY_DEGREES = 10;
const KEY_PX = 24;
const KEY_ZOOM = 1.15;
/** A shorter movement is a tap or a click. */
const TAP_PX = 6;
/** Touch is less precise than a mouse. */
const FINGER_PX = 10;

interface Finger {
  readonly x: number;
  readonly y: number;
}

const apart = (fingers: readonly Finger[]): number => {
  const [one, two] = fingers;
  return one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
};

export interface Gestures {
  /** True if a touch drag rotates the crystal (after a tap) instead of scrolling the page. */
  readonly isActive: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useGestures(
  host: RefObject<HTMLElement | null>,
  controller: StageController | null,
  onPick: (atom: number | undefined) => void,
): Gestures {
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    const element = host.current;
    if (!element || !controller) return undefined;
    const fingers = new Map<number, Finger>();
    let travelled = 0;
    const down = (event: PointerEvent): void => {
      element.focus({ preventScroll: true });
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 1) travelled = 0;
      if (event.pointerType !== 'touch' || isActive) element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent): void => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
      travelled += Math.hypot(dx, dy);
      if (event.pointerType === 'touch' && !isActive) return;
      const spread = apart([...fingers.values()]);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size > 1) {
        if (spread > 0) controller.zoom(apart([...fingers.values()]) / spread);
        controller.pan(dx / 2, -dy / 2);
      } else if (event.shiftKey || (event.buttons & 6) > 0) controller.pan(dx, -dy);
      else controller.rotate(dy * DEGREES_PER_PX, dx * DEGREES_PER_PX);
    };
    const up = (event: PointerEvent): void => {
      if (!fingers.delete(event.pointerId) || travelled > TAP_PX || event.type === 'pointercancel') return;
      if (event.pointerType === 'touch' && !isActive) {
        setActive(true);
        return;
      }
      const box = element.getBoundingClientRect();
      const tolerance = event.pointerType === 'touch' ? FINGER_PX : 0;
      onPick(controller.pick(event.clientX - box.left, event.clientY - box.top, tolerance));
    };
    const wheel = (event: WheelEvent): void => {
      // The wheel scrolls the page until the drawing has focus, so that it does not trap scrolling.
      if (!element.contains(document.activeElement) && !document.fullscreenElement) return;
      event.preventDefault();
      controller.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * 0.0016));
    };
    const outside = (event: PointerEvent): void => {
      if (!element.contains(event.target as Node)) setActive(false);
    };
    const menu = (event: Event): void => event.preventDefault();
    const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up } as const;
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener as EventListener);
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('contextmenu', menu);
    document.addEventListener('pointerdown', outside);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        element.removeEventListener(name, listener as EventListener);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('contextmenu', menu);
      document.removeEventListener('pointerdown', outside);
    };
  }, [host, controller, onPick, isActive]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!controller || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) controller.pan(KEY_PX * arrow[0], -KEY_PX * arrow[1]);
    else if (arrow) controller.rotate(KEY_DEGREES * arrow[1], KEY_DEGREES * arrow[0]);
    else if (event.key === '+' || event.key === '=') controller.zoom(KEY_ZOOM);
    else if (event.key === '-') controller.zoom(1 / KEY_ZOOM);
    else if (event.key === '0') controller.reset();
    else if (event.key === 'Escape') onPick(undefined);
    else return;
    event.preventDefault();
  };
  return { isActive, onKeyDown };
}
