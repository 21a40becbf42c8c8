/** The stage of the viewer: the canvases, the static drawing if they fail, and the hint on how to use it. */
import { type ReactNode, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { type Shown, StageController, type StageState } from './stage-controller.ts';
import { MOST_STILL_ATOMS, Still } from './still.tsx';
import { viewerTexts } from './texts.ts';
import { useGestures } from './use-gestures.ts';
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
