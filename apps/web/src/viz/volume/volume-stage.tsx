/** Cell, atoms and isosurfaces, rotated by mouse, touch and buttons. */
import { useComputedColorScheme } from '@mantine/core';
import type { Structure } from '@unitcell/crystal';
import { useEffect, useRef, useState } from 'react';
import { useDownload } from '../../components/file-origin.tsx';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { fetchCode } from '../../lib/lazy-part.tsx';
import { chartColors } from '../plot/chart-theme.ts';
import { AXES, AXIS_NUMBERS } from './slice.tsx';
import { volumeTexts } from './texts.ts';
import { type SignedSurface, VolumeScene } from './volume-scene.ts';
import classes from '../figure.module.css';

interface VolumeStageProps {
  readonly structure: Structure;
  readonly surfaces: readonly SignedSurface[];
  readonly label: string;
  /** Name of the picture, without extension. */
  readonly name: string;
}

const STEP_DEGREES = 15;
const STEP_ZOOM = 1.2;
/** Events that must scroll the page and not the drawing until the drawing is pressed. */
const PASSING = ['wheel', 'touchstart', 'touchmove'] as const;
/** A touch counts as a press only when it becomes a click, because it may be the start of scrolling. */
const PRESSES = ['mousedown', 'click'] as const;
const TURNS = [
  ['turnLeft', '←', -1, 0],
  ['turnRight', '→', 1, 0],
  ['turnUp', '↑', 0, -1],
  ['turnDown', '↓', 0, 1],
] as const;
const ZOOMS = [
  ['closer', '+', STEP_ZOOM],
  ['farther', '−', 1 / STEP_ZOOM],
] as const;

export function VolumeStage({ structure, surfaces, label, name }: VolumeStageProps) {
  const { t } = useTexts(volumeTexts);
  const download = useDownload();
  const host = useRef<HTMLDivElement>(null);
  const [scene, setScene] = useState<VolumeScene | null>(null);
  const [error, setError] = useState<unknown>(null);
  const scheme = useComputedColorScheme();

  useEffect(() => {
    const element = host.current;
    let isGone = false;
    let opened: VolumeScene | null = null;
    const open = async (): Promise<void> => {
      try {
        const library = await fetchCode(() => import('3dmol'));
        if (isGone || !element) return;
        opened = new VolumeScene(library, element);
        setScene(opened);
      } catch (cause) {
        if (!isGone) setError(cause);
      }
    };
    void open();
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);

  useEffect(() => {
    if (scene && host.current) scene.draw(structure, surfaces, chartColors(host.current));
    // A new colour scheme changes the computed colours.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [scene, structure, surfaces, scheme]);

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    // Wheel and touch scroll the page until the drawing is pressed, so that it does not trap scrolling.
    let isActive = false;
    const pass = (event: Event): void => {
      if (!isActive) event.stopPropagation();
    };
    const press = ({ target }: Event): void => {
      isActive = element.contains(target as Node);
    };
    for (const event of PASSING) element.addEventListener(event, pass, { capture: true, passive: true });
    for (const event of PRESSES) document.addEventListener(event, press, { capture: true });
    return () => {
      for (const event of PASSING) element.removeEventListener(event, pass, { capture: true });
      for (const event of PRESSES) document.removeEventListener(event, press, { capture: true });
    };
  }, []);

  // An error in drawing goes to the error boundary of the panel.
  if (error) throw error;
  return (
    <div className={classes.drawing}>
      <div className={`uc-wrap ${classes.volumeTools}`}>
        <ToolbarButtons
          label={t('views')}
          buttons={[
            ...AXES.map((axis) => ({
              id: axis,
              label: axis,
              title: t('along', { axis }),
              isDisabled: !scene,
              onClick: () => scene?.lookAlong(AXIS_NUMBERS[axis]),
            })),
            {
              id: 'png',
              label: t('picture'),
              title: t('pictureTitle'),
              isDisabled: !scene,
              onClick: () => scene && download.picture(`${name}.png`, scene.picture()),
            },
          ]}
        />
        <ToolbarButtons
          label={t('handling')}
          buttons={[
            ...TURNS.map(([id, sign, right, down]) => ({
              id,
              label: sign,
              title: t(id),
              isDisabled: !scene,
              onClick: () => scene?.rotate(right * STEP_DEGREES, down * STEP_DEGREES),
            })),
            ...ZOOMS.map(([id, sign, factor]) => ({
              id,
              label: sign,
              title: t(id),
              isDisabled: !scene,
              onClick: () => scene?.zoom(factor),
            })),
          ]}
        />
      </div>
      <figure
        ref={host}
        className={`uc-panel ${classes.volumeStage}`}
        aria-label={label}
        data-ready={scene !== null || undefined}
      />
      <p className="uc-fine">{t('turnHint')}</p>
    </div>
  );
}
