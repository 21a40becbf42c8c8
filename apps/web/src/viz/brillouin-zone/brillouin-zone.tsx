/**
 * The Brillouin zone with its path and labels, which can be rotated. It depends only on its props and fetches nothing.
 */
import type { BrillouinZoneData } from '@unitcell/contract/matdata';
import { scale3, type Vec3 } from '@unitcell/numerics';
import { kPointLabel } from '@unitcell/symmetry';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { type Download, useDownload } from '../../components/file-origin.tsx';
import { componentTexts } from '../../components/texts.ts';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { toCsv } from '../../lib/download.ts';
import { drawingPng, drawingText } from '../../lib/drawing-file.ts';
import classes from '../figure.module.css';
import { type Projector, projectorOf, type ScreenPoint } from '../projector.ts';
import { type PathPlace, placeText, pointText } from './path-place.ts';
import { initialDirection, isHidden, nearestPlace, positionOf, type Zone, zoneOf } from './zone-geometry.ts';

const zoneTexts = defineTexts('brillouin-zone', {
  tools: ['Display options', '显示内容'],
  axes: ['Reciprocal vectors', '倒格矢'],
  reset: ['Reset', '复位'],
  downloads: ['Download the drawing', '下载图形'],
  description: [
    'First Brillouin zone ({{variant}}) with {{faces}} faces and the path {{path}}. Arrow keys rotate.',
    '第一布里渊区（{{variant}}），{{faces}} 个面，路径 {{path}}。方向键旋转。',
  ],
  hint: [
    'Drag or use the arrow keys to rotate. Point at the path or tap it to see where it is.',
    '拖动或用方向键旋转；指向或点按路径可查看位置。',
  ],
});

/** Width of the saved image in px: sharp in print at the width of a column. */
const PICTURE_WIDTH = 1600;

interface BrillouinZoneProps {
  readonly data: BrillouinZoneData;
  /** Name of exported files, without extension. */
  readonly name: string;
  /** Position marked on the path; pointing changes it. */
  readonly place: PathPlace | null;
  readonly onPlace: (place: PathPlace | null) => void;
}

/** Drawing units: the zone's farthest corner is 100 from its centre. */
const SCALE = 100;
const VIEW = { x: -132, y: -116, width: 264, height: 232 } as const;
const REACH = 0.09;
const DEGREES_PER_PIXEL = 0.5;
const KEY_STEP_DEG = 6;
const LABEL_OFFSET = 9;
/** Axes end slightly outside the faces they cross, which are at half of the shortest vectors. */
const AXIS_SHARE = 0.72;

export function BrillouinZone({ data, name, place, onPlace }: BrillouinZoneProps) {
  const { t } = useTexts(zoneTexts);
  const { t: common } = useTexts(componentTexts);
  const download = useDownload();
  const drawing = useRef<SVGSVGElement>(null);
  const [hasAxes, setAxes] = useState(false);
  const [held, setHeld] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const zone = useMemo(() => zoneOf(data), [data]);
  const [direction, setDirection] = useState(() => initialDirection(zone));
  const look = useMemo(() => projectorOf(direction), [direction]);
  const path = data.kpath.map((branch) => branch.map(pointText).join('–')).join(' | ');

  const turnBy = (azimuth: number, elevation: number): void =>
    setDirection((now) => ({
      azimuth: now.azimuth + azimuth,
      elevation: Math.max(-90, Math.min(90, now.elevation + elevation)),
    }));
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    if (held) {
      turnBy((held.x - event.clientX) * DEGREES_PER_PIXEL, (event.clientY - held.y) * DEGREES_PER_PIXEL);
      setHeld({ x: event.clientX, y: event.clientY });
      return;
    }
    pointAt(event);
  };
  const pointAt = (event: PointerEvent<SVGSVGElement>): void => {
    const matrix = drawing.current?.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    onPlace(nearestPlace(zone, look, { x: at.x / SCALE, y: at.y / SCALE }, REACH));
  };
  const steer = (event: KeyboardEvent): void => {
    const steps: Record<string, readonly [number, number]> = {
      ArrowLeft: [KEY_STEP_DEG, 0],
      ArrowRight: [-KEY_STEP_DEG, 0],
      ArrowUp: [0, -KEY_STEP_DEG],
      ArrowDown: [0, KEY_STEP_DEG],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    turnBy(...step);
  };
  const save = (kind: 'png' | 'svg'): void => {
    const svg = drawing.current;
    if (!svg) return;
    if (kind === 'svg') download.svg(`${name}.svg`, drawingText(svg, VIEW));
    else
      void drawingPng(svg, VIEW, PICTURE_WIDTH / VIEW.width).then((png) => download.png(`${name}.png`, png));
  };

  return (
    <div className={`uc-panel ${classes.brillouinZoneFrame}`}>
      <div className={`uc-wrap ${classes.brillouinZoneTools}`}>
        <ToolbarButtons
          label={t('tools')}
          buttons={[
            { id: 'axes', label: t('axes'), isOn: hasAxes, onClick: () => setAxes(!hasAxes) },
            { id: 'reset', label: t('reset'), onClick: () => setDirection(initialDirection(zone)) },
          ]}
        />
        <ToolbarButtons
          label={t('downloads')}
          buttons={[
            { id: 'png', label: common('exportPng'), onClick: () => save('png') },
            { id: 'svg', label: common('exportSvg'), onClick: () => save('svg') },
            { id: 'csv', label: common('exportData'), onClick: () => saveTable(data, name, download) },
          ]}
        />
      </div>
      {/* The drawing is controlled by keys, so it takes the focus; its label says what it shows. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <svg
        ref={drawing}
        className={classes.stage}
        viewBox={`${VIEW.x} ${VIEW.y} ${VIEW.width} ${VIEW.height}`}
        role="img"
        tabIndex={0}
        aria-label={t('description', { variant: data.variant, faces: zone.faces.length, path })}
        onKeyDown={steer}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setHeld({ x: event.clientX, y: event.clientY });
          pointAt(event);
        }}
        onPointerMove={move}
        onPointerUp={() => setHeld(null)}
        onPointerCancel={() => setHeld(null)}
        onPointerLeave={({ pointerType }) => {
          // Lifting a finger also counts as leaving the drawing, but the tapped position must stay marked.
          if (pointerType !== 'touch') onPlace(null);
        }}
      >
        {/* oxlint-enable */}
        <ZoneDrawing zone={zone} look={look} hasAxes={hasAxes} place={place} />
      </svg>
      <p className={`uc-fine uc-wrap ${classes.note}`}>
        <span>
          {data.variant}, {path}
        </span>
        <output className={classes.where}>{place && positionOf(zone, place) ? placeText(place) : ''}</output>
        <span>{t('hint')}</span>
      </p>
    </div>
  );
}

/** Fractional coordinates of the labelled points. */
function saveTable({ kpoints }: BrillouinZoneData, name: string, download: Download): void {
  const rows = Object.entries(kpoints).map(([label, coordinates]) => [pointText(label), ...coordinates]);
  download.csv(`${name}.csv`, toCsv(['label', 'k1', 'k2', 'k3'], rows));
}

interface ZoneDrawingProps {
  readonly zone: Zone;
  readonly look: Projector;
  readonly hasAxes: boolean;
  readonly place: PathPlace | null;
}

const at = ({ x, y }: ScreenPoint) => ({ x: x * SCALE, y: y * SCALE });
const shift = (point: ScreenPoint) =>
  `translate(${(point.x * SCALE).toFixed(2)} ${(point.y * SCALE).toFixed(2)})`;

function ZoneDrawing({ zone, look, hasAxes, place }: ZoneDrawingProps) {
  const line = (a: Vec3, b: Vec3) => {
    const [from, to] = [at(look(a)), at(look(b))];
    return { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  };
  const marked = place ? positionOf(zone, place) : null;
  const hidden = zone.edges.filter((edge) => isHidden(edge, look));
  const seen = zone.edges.filter((edge) => !isHidden(edge, look));
  const onPath = new Set(zone.pieces.flatMap(({ from, to }) => [from.name, to.name]));
  return (
    <>
      {hidden.map((edge) => (
        <line key={edgeKey(edge.ends)} className={classes.hidden} {...line(...edge.ends)} />
      ))}
      {zone.faces
        .filter(({ normal }) => look(normal).depth > 0)
        .map(({ corners }) => (
          <polygon
            key={edgeKey(corners)}
            className={classes.face}
            points={corners.map((corner) => `${at(look(corner)).x},${at(look(corner)).y}`).join(' ')}
          />
        ))}
      {seen.map((edge) => (
        <line key={edgeKey(edge.ends)} className={classes.edge} {...line(...edge.ends)} />
      ))}
      {hasAxes &&
        zone.axes.map((axis, index) => {
          const tip = scale3(axis, AXIS_SHARE);
          return (
            <g key={`b${index + 1}`}>
              <line className={classes.axis} {...line([0, 0, 0], tip)} />
              <text transform={shift(look(tip))} fontSize={9} fontStyle="italic" dx={3}>
                b
                <tspan dy={2.5} fontSize={6.5} fontStyle="normal">
                  {index + 1}
                </tspan>
              </text>
            </g>
          );
        })}
      {zone.pieces.map(({ from, to }) => (
        <line
          key={`${from.name}-${to.name}`}
          className={classes.path}
          {...line(from.position, to.position)}
        />
      ))}
      {zone.points
        .filter(({ name }) => onPath.has(name))
        .map(({ name, position }) => (
          <PointLabel key={name} name={name} point={look(position)} />
        ))}
      {marked && <circle className={classes.marked} r={4.2} transform={shift(look(marked))} />}
    </>
  );
}

const edgeKey = (corners: readonly Vec3[]): string =>
  corners.map((corner) => corner.map((x) => x.toFixed(4)).join()).join(' ');

function PointLabel({ name, point }: { readonly name: string; readonly point: ScreenPoint }) {
  const { symbol, index } = kPointLabel(name);
  const away = Math.hypot(point.x, point.y);
  // Labels are placed away from the centre of the zone; the label of Γ, at the centre, is placed above it.
  const [dx, dy] = away > 0.03 ? [point.x / away, point.y / away] : [-0.6, -0.8];
  return (
    <g transform={shift(point)}>
      <circle className={classes.point} r={2.2} />
      <text
        x={dx * LABEL_OFFSET}
        y={dy * LABEL_OFFSET + 3.5}
        fontSize={10.5}
        fontStyle="italic"
        textAnchor="middle"
      >
        {symbol}
        {index && (
          <tspan dy={2.5} fontSize={7.5} fontStyle="normal">
            {index}
          </tspan>
        )}
      </text>
    </g>
  );
}
