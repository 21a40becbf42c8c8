/** Cell, atoms and isosurfaces, to be turned by mouse, finger and keys. */
import { useComputedColorScheme } from '@mantine/core';
import type { Structure } from '@unitcell/crystal';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useDownload } from '../../components/file-origin.tsx';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { fetchCode } from '../../lib/lazy-part.tsx';
import { chartColors } from '../plot/chart-theme.ts';
import { AXES } from './slice.ts';
import { volumeTexts } from './texts.ts';
import { type SignedSurface, VolumeScene } from './volume-scene.ts';
import classes from './volume.module.css';

interface VolumeStageProps {
  readonly structure: Structure;
  readonly surfaces: readonly SignedSurface[];
  readonly label: string;
  /** Of the picture, without extension. */
  readonly name: string;
}

const KEY_DEGREES = 10;
const KEY_ZOOM = 1.15;
const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

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
    // Another colour scheme gives other computed colours.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [scene, structure, surfaces, scheme]);

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    // Wheel and fingers scroll the page until the drawing is in focus; it must not trap somebody passing by.
    const pass = (event: Event): void => {
      if (!element.contains(document.activeElement)) event.stopPropagation();
    };
    const focus = (): void => element.focus({ preventScroll: true });
    const listeners = [
      ['wheel', pass],
      ['touchstart', pass],
      ['touchmove', pass],
      ['mousedown', focus],
      ['click', focus],
    ] as const;
    for (const [event, listener] of listeners)
      element.addEventListener(event, listener, { capture: true, passive: true });
    return () => {
      for (const [event, listener] of listeners)
        element.removeEventListener(event, listener, { capture: true });
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) scene.turn(arrow[0] * KEY_DEGREES, arrow[1] * KEY_DEGREES);
    else if (event.key === '+' || event.key === '=') scene.zoom(KEY_ZOOM);
    else if (event.key === '-') scene.zoom(1 / KEY_ZOOM);
    else return;
    event.preventDefault();
  };

  // A drawing that cannot be made is a fault of its panel.
  if (error) throw error;
  return (
    <div className={classes.drawing}>
      <ToolbarButtons
        label={t('views')}
        buttons={[
          ...AXES.map((axis, index) => ({
            id: axis,
            label: axis,
            title: t('along', { axis }),
            isDisabled: !scene,
            onClick: () => scene?.lookAlong(structure.latticeVectors[index] ?? [0, 0, 1]),
          })),
          {
            id: 'closer',
            label: '+',
            title: t('closer'),
            isDisabled: !scene,
            onClick: () => scene?.zoom(KEY_ZOOM),
          },
          {
            id: 'farther',
            label: '−',
            title: t('farther'),
            isDisabled: !scene,
            onClick: () => scene?.zoom(1 / KEY_ZOOM),
          },
          {
            id: 'png',
            label: t('picture'),
            title: t('pictureTitle'),
            isDisabled: !scene,
            onClick: () => scene && download.picture(`${name}.png`, scene.picture()),
          },
        ]}
      />
      <div
        ref={host}
        className={classes.stage}
        role="img"
        tabIndex={0}
        aria-label={label}
        data-ready={scene !== null || undefined}
        onKeyDown={onKeyDown}
      />
      <p className={classes.note}>{t('turnHint')}</p>
    </div>
  );
}
