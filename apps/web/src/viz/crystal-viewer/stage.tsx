/** The stage of the viewer: the canvases, the static drawing if they fail, and the hint on how to use it. */
import {
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { type Shown, StageController, type StageState } from './stage-controller.ts';
import { MOST_STILL_ATOMS, Still } from './still.tsx';
import { viewerTexts } from './texts.ts';
import { fitView, type Stage, standardRotation } from './view.ts';
import { ballsOf } from './visible.ts';
import { useIdleRender } from '../../lib/use-idle-render.ts';
import { useNear } from '../../lib/use-near.ts';
import classes from './crystal-viewer.module.css';

// Decides when a stage starts drawing in 3D: a graphics context takes a second on a slow machine, the static
// drawing no time. With a mouse, 3D starts when the browser is idle and the stage is near the window, or as soon
// as the pointer enters. On a touch screen it starts with the first tap, because most touches only scroll past.

/** Maximum wait for an idle moment. Short, because other parts of the page wait for one too. */
const LONGEST_WAIT_MS = 300;

const isTouched = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** @param hasStill false: there is no static drawing, so 3D starts at once */
function useBegin(
  frame: RefObject<HTMLElement | null>,
  controller: StageController | null,
  hasStill: boolean,
): void {
  const isNear = useNear(frame);
  const isDrawn = useIdleRender(LONGEST_WAIT_MS);
  const isDue = !hasStill || (isNear && isDrawn && !isTouched());
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

interface CrystalStageProps {
  /** The whole viewer: pointer or focus starts the drawing. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly shown: Shown;
  readonly label: string;
  readonly onPick: (atom: number | undefined) => void;
  readonly onController: (controller: StageController | null) => void;
  readonly children?: ReactNode;
}

/** Size of the stage while the page has no layout yet. */
const USUAL = { width: 720, height: 520 };

export function CrystalStage({ frame, shown, label, onPick, onController, children }: CrystalStageProps) {
  const { t } = useTexts(viewerTexts);
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const paper = useRef<HTMLCanvasElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<StageState>('still');
  const [controller, setController] = useState<StageController | null>(null);
  const [size, setSize] = useState<Stage | null>(null);
  const { isActive, onKeyDown } = useGestures(host, controller, onPick);
  const { scene, visible, projection } = shown;
  const hasStill = visible.atoms.length <= MOST_STILL_ATOMS;
  useBegin(frame, controller, hasStill && attempt === 0);
  const view = useMemo(
    () => size && fitView(ballsOf(visible), standardRotation(scene.axes), size, projection),
    [visible, scene, size, projection],
  );

  useEffect(() => {
    const element = host.current;
    if (!element || !canvas.current || !paper.current) return undefined;
    setState('still');
    const made = new StageController(canvas.current, paper.current, setState);
    const measure = (): void => {
      const stage = { width: element.clientWidth, height: element.clientHeight };
      const isLaidOut = stage.width > 0 && stage.height > 0;
      if (isLaidOut) made.resize(stage);
      // A transition, so that the static drawing is rendered in slices.
      startTransition(() =>
        setSize((now) => {
          const isSame = now?.width === stage.width && now.height === stage.height;
          return isLaidOut ? (isSame ? now : stage) : (now ?? USUAL);
        }),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    setController(made);
    onController(made);
    return () => {
      observer.disconnect();
      made.dispose();
      onController(null);
    };
    // A new attempt uses a new canvas.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [onController, attempt]);

  useEffect(() => controller?.show(shown), [controller, shown]);

  return (
    <div className={classes.stage} data-active={isActive || undefined}>
      {/* The drawing is controlled by keys, so it takes the focus; its label says what it shows. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <div
        ref={host}
        className={classes.canvas}
        role="img"
        tabIndex={0}
        aria-label={label}
        data-state={state}
        onKeyDown={onKeyDown}
      >
        <canvas key={`gl${attempt}`} ref={canvas} className={classes.layer} />
        {state !== 'ready' && size && view && (hasStill || state !== 'still') && (
          <Still visible={visible} view={view} stage={size} colors={shown.writing.colors} />
        )}
        <canvas
          key={`paper${attempt}`}
          ref={paper}
          className={`${classes.layer} ${classes.paper}`}
          hidden={state === 'failed' || state === 'lost'}
        />
      </div>
      {/* oxlint-enable */}
      {(state === 'ready' || state === 'still') && !isActive && (
        <span className={classes.tap} aria-hidden="true">
          {t('tap')}
        </span>
      )}
      {(state === 'failed' || state === 'lost') && (
        <output className={`uc-hint ${classes.message}`}>
          {t(state)}{' '}
          <button
            type="button"
            className={`uc-link-button ${classes.link}`}
            onClick={() => setAttempt(attempt + 1)}
          >
            {t('restore')}
          </button>
        </output>
      )}
      {children}
    </div>
  );
}

/* Touch, mouse, wheel and keys on a stage. A touch drag scrolls the page; after a tap it rotates the crystal. */

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

function useGestures(
  host: RefObject<HTMLElement | null>,
  controller: StageController | null,
  onPick: (atom: number | undefined) => void,
) {
  /** True if a touch drag rotates the crystal (after a tap) instead of scrolling the page. */
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
