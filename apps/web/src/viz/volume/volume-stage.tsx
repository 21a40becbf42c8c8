/** Cell, atoms and isosurfaces, rotated by mouse, touch and buttons. */
import { useComputedColorScheme } from '@mantine/core';
import type { Structure, Site } from '@unitcell/crystal';
import { useEffect, useRef, useState } from 'react';
import { useDownload } from '../../components/file-origin.tsx';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { fetchCode } from '../../lib/lazy-part.tsx';
import { chartColors, type ChartColors } from '../plot/chart-theme.ts';
import { AXES, AXIS_NUMBERS } from './slice.tsx';
import { volumeTexts } from './texts.ts';
import classes from '../figure.module.css';
import { elementBySymbol } from '@unitcell/elements';
import { add3, dot3, IDENTITY3, norm3, rowTimesMatrix3, scale3, type Vec3 } from '@unitcell/numerics';
import type * as Library from '3dmol';
import type { Surface } from './isosurface.ts';

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

/* Draws a crystal and surfaces with 3Dmol. Crystals alone are drawn by our own viewer (ADR 0015). */

type Mol = typeof Library;

interface SignedSurface {
  readonly sign: 1 | -1;
  readonly surface: Surface;
}

const OPACITY = 0.78;
/** Additional zoom, because 3Dmol leaves too much space around the sphere that it fits into the view. */
const FILL = 2;
/** Distance in Å of an axis letter from the end of its edge, so that the letter is outside an atom there. */
const LETTER = 0.9;
const RADIUS_SCALE = 0.35;
const DEFAULT_RADIUS = 1.4;
/** Atoms closer to a face than this fraction of the cell are drawn on the opposite face too. */
const ON_FACE = 1e-3;

/** The element of a site. Sites of volumetric data are ordered, so each has one species. */
const elementAt = ({ species }: Site): string => species[0]?.element ?? 'H';

const xyz = ([x, y, z]: Vec3) => ({ x, y, z });

/** Atoms of the cell; those on its faces are drawn on both sides. */
function atomsOf({ latticeVectors, sites }: Structure): { element: string; position: Vec3 }[] {
  const home = (value: number): number => {
    const part = value - Math.floor(value);
    return part > 1 - ON_FACE ? part - 1 : part;
  };
  const places = (value: number): number[] =>
    home(value) < ON_FACE ? [home(value), home(value) + 1] : [home(value)];
  return sites.flatMap((site) => {
    const [x, y, z] = site.fractionalCoords;
    return places(x).flatMap((a) =>
      places(y).flatMap((b) =>
        places(z).map((c) => ({
          element: elementAt(site),
          position: rowTimesMatrix3([a, b, c], latticeVectors),
        })),
      ),
    );
  });
}

/** A single surface is yellow. Of two surfaces, the positive one is red and the negative one blue, as in the slice. */
function surfaceColor(sign: 1 | -1, count: number, { highlight, series, ink }: ChartColors): string {
  if (count === 1) return highlight;
  return series[sign > 0 ? 1 : 0] ?? ink;
}

type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** The rotation that turns one direction towards the camera and a second direction as far upwards as possible. */
function facing(direction: Vec3, up: Vec3): Quaternion {
  const [dx, dy, dz] = scale3(direction, 1 / norm3(direction));
  const length = Math.sqrt(2 * (1 + dz));
  const [x, y, w] = dz < -1 + 1e-9 ? [1, 0, 0] : [dy / length, -dx / length, length / 2];
  // Then rotate about the line of sight until `up` has no sideways part.
  const right = dot3([1 - 2 * y * y, 2 * x * y, 2 * y * w], up);
  const above = dot3([2 * x * y, 1 - 2 * x * x, -2 * x * w], up);
  const half = Math.atan2(right, above) / 2;
  const [s, c] = [Math.sin(half), Math.cos(half)];
  return [c * x - s * y, c * y + s * x, s * w, c * w];
}

class VolumeScene {
  private readonly viewer: Library.GLViewer;
  private cell: Structure | null = null;

  constructor(
    library: Mol,
    private readonly host: HTMLElement,
  ) {
    this.viewer = library.createViewer(host, { antialias: true, disableFog: true });
    this.viewer.setProjection('orthographic');
  }

  draw(structure: Structure, surfaces: readonly SignedSurface[], colors: ChartColors): void {
    const { viewer } = this;
    viewer.removeAllShapes();
    viewer.removeAllLabels();
    viewer.removeAllModels();
    viewer.setBackgroundColor(colors.surface, 1);
    const model = viewer.addModel();
    model.addAtoms(
      atomsOf(structure).map(({ element, position }, index) => ({
        elem: element,
        ...xyz(position),
        serial: index,
        bonds: [],
        bondOrder: [],
      })),
    );
    for (const element of new Set(structure.sites.map(elementAt))) {
      const { viewerColor, atomicRadius } = elementBySymbol(element);
      const radius = RADIUS_SCALE * (atomicRadius ?? DEFAULT_RADIUS);
      model.setStyle({ elem: element }, { sphere: { color: viewerColor, radius } });
    }
    this.drawCell(structure, colors);
    for (const { sign, surface } of surfaces)
      viewer.addCustom({
        vertexArr: surface.vertices.map(xyz) as never,
        normalArr: surface.normals.map(xyz) as never,
        faceArr: [...surface.faces],
        color: surfaceColor(sign, surfaces.length, colors),
        opacity: OPACITY,
      });
    if (this.cell !== structure) this.reset(structure);
    this.cell = structure;
    viewer.render();
  }

  private drawCell({ latticeVectors }: Structure, colors: ChartColors): void {
    const corner = (bits: number): Vec3 =>
      rowTimesMatrix3([bits & 1, (bits >> 1) & 1, bits >> 2], latticeVectors);
    for (let from = 0; from < 8; from++)
      for (const bit of [1, 2, 4])
        if ((from & bit) === 0)
          this.viewer.addLine({ start: xyz(corner(from)), end: xyz(corner(from | bit)), color: colors.ink });
    for (const [axis, vector] of latticeVectors.entries())
      this.viewer.addLabel('abc'.charAt(axis), {
        position: xyz(scale3(vector, 1 + LETTER / norm3(vector))),
        fontColor: colors.ink,
        fontSize: 14,
        showBackground: false,
        alignment: 'center',
        inFront: true,
      });
  }

  /** Makes the camera look along a direction, with a second direction upwards and the whole scene in view. */
  private look(direction: Vec3, up: Vec3): void {
    this.viewer.zoomTo();
    const [x, y, z, zoom] = this.viewer.getView() as number[];
    this.viewer.setView([x, y, z, zoom, ...facing(direction, up)]);
    this.viewer.zoom(FILL);
  }

  /** Looks along an edge of the cell: a, b or c. */
  lookAlong(axis: 0 | 1 | 2): void {
    const [a, b, c] = this.cell?.latticeVectors ?? IDENTITY3;
    this.look([a, b, c][axis] ?? c, axis === 2 ? b : c);
  }

  private reset({ latticeVectors: [a, b, c] }: Structure): void {
    // Makes the camera look slightly from the side and from above, so that no edge of the cell hides another edge.
    this.look(add3(add3(a, scale3(b, 0.4)), scale3(c, 0.3)), c);
  }

  rotate(right: number, down: number): void {
    if (right !== 0) this.viewer.rotate(right, 'vy');
    if (down !== 0) this.viewer.rotate(down, 'vx');
  }

  zoom(factor: number): void {
    this.viewer.zoom(factor);
  }

  /** The URI of a PNG. */
  picture(): string {
    return this.viewer.pngURI();
  }

  close(): void {
    this.viewer.clear();
    for (const canvas of this.host.querySelectorAll('canvas'))
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    this.host.replaceChildren();
  }
}
