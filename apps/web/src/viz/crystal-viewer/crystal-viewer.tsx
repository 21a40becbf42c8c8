/** An interactive drawing of a crystal: props in, nothing fetched. */
import { useComputedColorScheme } from '@mantine/core';
import { type Structure, isOrdered } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useDownload } from '../../components/file-origin.tsx';
import type { CrystalRenderer, DrawOptions } from './crystal-renderer.ts';
import classes from './crystal-viewer.module.css';
import { buildScene, describeCoordination } from './scene.ts';
import { viewerTexts } from './texts.ts';

interface CrystalViewerProps {
  readonly structure: Structure;
  /** Names the drawing and its picture file. */
  readonly formula: string;
  /** Cells along each axis; chosen by the size of the cell when absent. */
  readonly repeats?: 1 | 2;
}

type ViewerState = 'loading' | 'ready' | 'failed' | 'lost';

const DEFAULTS: DrawOptions = { hasLabels: false, hasCell: true, hasBonds: true, hasPolyhedra: false };

/** Loads the renderer into an element; a new `attempt` starts over after the graphics card dropped the drawing. */
function useRenderer(element: RefObject<HTMLDivElement | null>, attempt: number) {
  const [renderer, setRenderer] = useState<CrystalRenderer | null>(null);
  const [state, setState] = useState<ViewerState>('loading');
  useEffect(() => {
    const host = element.current;
    if (!host) return undefined;
    let isGone = false;
    let made: CrystalRenderer | null = null;
    const lose = (event: Event): void => {
      event.preventDefault();
      setState('lost');
    };
    const load = async (): Promise<void> => {
      try {
        const { createCrystalRenderer } = await import('./crystal-renderer.ts');
        if (isGone) return;
        made = createCrystalRenderer(host);
        host.querySelector('canvas')?.addEventListener('webglcontextlost', lose);
        setRenderer(made);
        setState('ready');
      } catch {
        if (!isGone) setState('failed');
      }
    };
    void load();
    return () => {
      isGone = true;
      made?.dispose();
      setRenderer(null);
      setState('loading');
    };
    // A new attempt is a new renderer.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [element, attempt]);
  return { renderer, state };
}

export function CrystalViewer({ structure, formula, repeats }: CrystalViewerProps) {
  const { t } = useTexts(viewerTexts);
  const download = useDownload();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [options, setOptions] = useState(DEFAULTS);
  const [attempt, setAttempt] = useState(0);
  const { renderer, state } = useRenderer(canvas, attempt);
  const scheme = useComputedColorScheme();
  const scene = useMemo(() => buildScene(structure, repeats), [structure, repeats]);
  const isFullScreen = useFullScreen(frame);

  useEffect(() => {
    const host = canvas.current;
    if (!renderer || !host) return;
    const style = getComputedStyle(host);
    renderer.draw(scene, options, {
      ink: style.color,
      ground: style.getPropertyValue('--uc-surface').trim(),
    });
    // Another colour scheme gives other computed colours.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [renderer, scene, options, scheme]);

  useEffect(() => {
    const host = canvas.current;
    if (!renderer || !host) return undefined;
    const observer = new ResizeObserver(() => renderer.resize());
    observer.observe(host);
    return () => observer.disconnect();
  }, [renderer]);

  useWheelOnlyInFocus(canvas);

  const steer = (event: KeyboardEvent): void => {
    const turns: Record<string, readonly [number, 'x' | 'y']> = {
      ArrowLeft: [-10, 'y'],
      ArrowRight: [10, 'y'],
      ArrowUp: [-10, 'x'],
      ArrowDown: [10, 'x'],
    };
    const turn = turns[event.key];
    if (turn) renderer?.turn(...turn);
    else if (event.key === '+' || event.key === '=') renderer?.zoom(1.15);
    else if (event.key === '-') renderer?.zoom(1 / 1.15);
    else return;
    event.preventDefault();
  };
  const toggle = (key: keyof DrawOptions, label: string) => ({
    id: key,
    label,
    isOn: options[key],
    onClick: () => setOptions({ ...options, [key]: !options[key] }),
  });
  const elements = [...new Set(scene.atoms.map((atom) => atom.element))];
  const coordination = useMemo(() => describeCoordination(structure), [structure]);

  return (
    <div ref={frame} className={classes.frame}>
      <div className={classes.tools}>
        <ToolbarButtons
          label={t('tools')}
          buttons={[
            toggle('hasLabels', t('labels')),
            toggle('hasCell', t('cell')),
            toggle('hasBonds', t('bonds')),
            // Always in its place; atoms of one element have no polyhedra about them.
            { ...toggle('hasPolyhedra', t('polyhedra')), isDisabled: scene.polyhedra.length === 0 },
          ]}
        />
        <ToolbarButtons
          label={t('tools')}
          buttons={[
            { id: 'reset', label: t('reset'), onClick: () => renderer?.reset() },
            {
              id: 'picture',
              label: t('picture'),
              onClick: () => renderer && download.picture(`${formula}.png`, renderer.picture()),
            },
            {
              id: 'full-screen',
              label: isFullScreen ? t('leaveFullScreen') : t('fullScreen'),
              onClick: () => void toggleFullScreen(frame.current),
            },
          ]}
        />
      </div>
      <div className={classes.stage}>
        {/* The drawing is steered by keys, so it takes the focus; its label says what it shows. */}
        {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
        <div
          ref={canvas}
          className={classes.canvas}
          role="img"
          tabIndex={0}
          aria-label={t('description', {
            formula,
            atoms: structure.sites.length,
            coordination: coordination.join(', ') || t('none'),
          })}
          onKeyDown={steer}
        />
        {/* oxlint-enable */}
        {state !== 'ready' && (
          <div className={classes.message} role="alert">
            <p>{t(state)}</p>
            {state === 'lost' && (
              <button type="button" className={classes.again} onClick={() => setAttempt(attempt + 1)}>
                {t('restore')}
              </button>
            )}
          </div>
        )}
      </div>
      <p className={classes.legend}>
        {elements.map((element) => (
          <span key={element} className={classes.key}>
            <i className={classes.ball} style={{ background: elementBySymbol(element).viewerColor }} />
            {element}
          </span>
        ))}
        <span className={classes.hint}>
          {scene.repeats > 1 && `${t('cells', { n: scene.repeats })} · `}
          {!isOrdered(structure) && `${t('shared')} · `}
          {t('keys')}
        </span>
      </p>
    </div>
  );
}

/** The wheel scrolls the page until the drawing is in focus; a drawing must not trap somebody passing by. */
function useWheelOnlyInFocus(canvas: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const host = canvas.current;
    const stage = host?.parentElement;
    if (!host || !stage) return undefined;
    const filter = (event: Event): void => {
      if (!host.contains(document.activeElement) && !document.fullscreenElement) event.stopPropagation();
    };
    const focus = (): void => host.focus({ preventScroll: true });
    stage.addEventListener('wheel', filter, { capture: true });
    stage.addEventListener('pointerdown', focus, { capture: true });
    return () => {
      stage.removeEventListener('wheel', filter, { capture: true });
      stage.removeEventListener('pointerdown', focus, { capture: true });
    };
  }, [canvas]);
}

async function toggleFullScreen(frame: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await frame?.requestFullscreen?.();
}

function useFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const update = (): void => setFull(document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, [frame]);
  return isFull;
}
