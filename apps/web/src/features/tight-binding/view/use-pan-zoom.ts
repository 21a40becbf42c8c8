/** Gestures on a figure: wheel and pinch zoom, drag pans, tap selects. Positions are shares of the element, y downwards. */
import { type RefObject, useEffect, useRef } from 'react';

export interface PanZoomHandlers {
  /** `factor` > 1: zoom in. */
  readonly onZoom: (factor: number, shareX: number, shareY: number) => void;
  readonly onPan: (shareX: number, shareY: number) => void;
  readonly onTap?: (shareX: number, shareY: number) => void;
  readonly onHover?: (place: { readonly x: number; readonly y: number } | null) => void;
  readonly onReset: () => void;
}

/** A press that moves less than this, in pixels, is a tap. */
const TAP_SLOP = 5;
/** Zoom per pixel of the wheel; a notch of 100 is a factor of 1.16. */
const WHEEL_RATE = 0.0015;

interface Press {
  x: number;
  y: number;
}

/** Attaches the gestures; handlers may change on each render. */
export function usePanZoom(element: RefObject<Element | null>, handlers: PanZoomHandlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const target = element.current;
    if (!(target instanceof HTMLElement || target instanceof SVGElement)) return undefined;
    const presses = new Map<number, Press>();
    let moved = 0;
    const shares = (x: number, y: number): [number, number] => {
      const box = target.getBoundingClientRect();
      return [(x - box.left) / box.width, (y - box.top) / box.height];
    };
    const pinch = (): { x: number; y: number; span: number } | null => {
      const [a, b] = [...presses.values()];
      return a && b
        ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) }
        : null;
    };
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
      latest.current.onZoom(Math.exp(-pixels * WHEEL_RATE), ...shares(event.clientX, event.clientY));
    };
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      if (presses.size === 0) moved = 0;
      presses.set(event.pointerId, { x: event.clientX, y: event.clientY });
    };
    const move = (event: PointerEvent): void => {
      const press = presses.get(event.pointerId);
      if (!press) {
        const [x, y] = shares(event.clientX, event.clientY);
        latest.current.onHover?.({ x, y });
        return;
      }
      const before = pinch();
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      moved += Math.hypot(dx, dy);
      if (moved < TAP_SLOP) return;
      if (!target.hasPointerCapture(event.pointerId)) target.setPointerCapture(event.pointerId);
      presses.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const after = pinch();
      const box = target.getBoundingClientRect();
      if (before && after) {
        latest.current.onZoom(after.span / before.span, ...shares(after.x, after.y));
        latest.current.onPan((after.x - before.x) / box.width, (after.y - before.y) / box.height);
      } else latest.current.onPan(dx / box.width, dy / box.height);
    };
    const up = (event: PointerEvent): void => {
      const isTap = presses.size === 1 && moved < TAP_SLOP && event.type === 'pointerup';
      const isOurs = presses.delete(event.pointerId);
      if (isOurs && isTap) latest.current.onTap?.(...shares(event.clientX, event.clientY));
    };
    const leave = (): void => latest.current.onHover?.(null);
    const reset = (): void => latest.current.onReset();
    target.addEventListener('wheel', wheel as EventListener, { passive: false });
    target.addEventListener('pointerdown', down as EventListener);
    target.addEventListener('pointermove', move as EventListener);
    target.addEventListener('pointerup', up as EventListener);
    target.addEventListener('pointercancel', up as EventListener);
    target.addEventListener('pointerleave', leave);
    target.addEventListener('dblclick', reset);
    return () => {
      target.removeEventListener('wheel', wheel as EventListener);
      target.removeEventListener('pointerdown', down as EventListener);
      target.removeEventListener('pointermove', move as EventListener);
      target.removeEventListener('pointerup', up as EventListener);
      target.removeEventListener('pointercancel', up as EventListener);
      target.removeEventListener('pointerleave', leave);
      target.removeEventListener('dblclick', reset);
    };
  }, [element]);
}
