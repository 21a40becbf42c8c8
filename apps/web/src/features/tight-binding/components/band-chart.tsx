/** Bands beside the density of states on one energy axis, as SVG that is light enough to redraw thirty times a second. */
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type Ref, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { BandPoint, BandsAnswer } from '../solver/messages.ts';
import { tightBindingTexts } from '../texts.ts';
import {
  type ChartBox,
  chartBox,
  energyInterval,
  type Interval,
  legOf,
  nearestPoint,
  placeEnergy,
  placeK,
  positionIn,
  shiftInterval,
  zoomInterval,
} from '../view/chart-scale.ts';
import { usePanZoom } from '../view/use-pan-zoom.ts';
import classes from '../tight-binding.module.css';
import { BandLines, ChartFrame, DosCurve, FermiLine } from './band-chart-parts.tsx';

interface BandChartProps {
  readonly answer: BandsAnswer;
  readonly selected: BandPoint | null;
  readonly onSelect: (point: BandPoint | null) => void;
  readonly summary: string;
  readonly svgRef: Ref<SVGSVGElement>;
}

interface Zoom {
  readonly k: Interval;
  readonly energy: Interval;
}

export function BandChart({ answer, selected, onSelect, summary, svgRef }: BandChartProps) {
  const { t } = useTexts(tightBindingTexts);
  const { ref, width, height } = useElementSize();
  const [zoomedOf, setZoomed] = useState<{ readonly netId: string; readonly zoom: Zoom } | null>(null);
  const [hovered, setHovered] = useState<BandPoint | null>(null);
  const { kDist, bands, hspNodes, hspLabels, model } = answer;
  const whole: Zoom = useMemo(
    () => ({ k: [0, kDist.at(-1) ?? 1], energy: energyInterval(bands) }),
    [kDist, bands],
  );
  const zoom = zoomedOf?.netId === model.net.id ? zoomedOf.zoom : whole;
  const setZoom = (next: Zoom): void => setZoomed({ netId: model.net.id, zoom: next });
  const box = chartBox(width, height);

  /** Converts shares of the element to k and energy; k is undefined to the right of the bands. */
  const valueAt = (shareX: number, shareY: number) => {
    const x = (shareX * width - box.left) / box.bandsWidth;
    const y = 1 - (shareY * height - box.top) / box.height;
    return {
      k: zoom.k[0] + x * (zoom.k[1] - zoom.k[0]),
      energy: zoom.energy[0] + y * (zoom.energy[1] - zoom.energy[0]),
      isInBands: x >= -0.02 && x <= 1.02,
    };
  };
  const pointAt = (x: number, y: number): BandPoint | null => {
    const { k, energy, isInBands } = valueAt(x, y);
    return isInBands ? nearestPoint(kDist, bands, k, energy) : null;
  };
  const surface = useRef<HTMLDivElement>(null);
  usePanZoom(surface, {
    onZoom: (factor, x, y) => {
      const at = valueAt(x, y);
      setZoom({
        k: at.isInBands ? zoomInterval(zoom.k, factor, at.k, whole.k) : zoom.k,
        energy: zoomInterval(zoom.energy, factor, at.energy, whole.energy),
      });
    },
    onPan: (x, y) =>
      setZoom({
        k: shiftInterval(zoom.k, (-x * width * (zoom.k[1] - zoom.k[0])) / box.bandsWidth, whole.k),
        energy: shiftInterval(
          zoom.energy,
          (y * height * (zoom.energy[1] - zoom.energy[0])) / box.height,
          whole.energy,
        ),
      }),
    onTap: (x, y) => {
      const point = pointAt(x, y);
      if (point) onSelect(point);
    },
    onHover: (place) => setHovered(place ? pointAt(place.x, place.y) : null),
    onReset: () => setZoomed(null),
  });

  const onKey = (event: KeyboardEvent): void => {
    const { band, point } = selected ?? { band: 0, point: 0 };
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
    const stride = event.shiftKey ? 10 : 1;
    const moved = {
      ArrowLeft: { band, point: within(point - stride, kDist.length) },
      ArrowRight: { band, point: within(point + stride, kDist.length) },
      ArrowUp: { band: within(band + 1, bands.length), point },
      ArrowDown: { band: within(band - 1, bands.length), point },
      Enter: { band, point },
      Escape: null,
    }[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    onSelect(moved);
  };
  const read = hovered ?? selected;
  const energyOf = ({ band, point }: BandPoint): number | undefined => bands[band]?.[point];
  return (
    <div className={classes.chart}>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={surface}
        className={classes.surface}
        role="application"
        aria-label={`${summary} ${t('chartKeys')}`}
        tabIndex={0}
        onKeyDown={onKey}
      >
        {/* oxlint-enable */}
        <div ref={ref} className={classes.measure}>
          {width > 0 && (
            <svg
              ref={svgRef}
              width={width}
              height={height}
              viewBox={`0 0 ${width} ${height}`}
              aria-hidden="true"
            >
              <ChartFrame
                box={box}
                zoom={zoom}
                hspNodes={hspNodes}
                hspLabels={hspLabels}
                texts={{ energy: t('energy'), dos: t('dos') }}
              />
              <BandLines box={box} zoom={zoom} kDist={kDist} bands={bands} />
              <DosCurve box={box} zoom={zoom} answer={answer} />
              <FermiLine box={box} zoom={zoom} energy={answer.fermi.energy} />
              <Marker box={box} zoom={zoom} answer={answer} point={selected} className={classes.selected} />
              <g data-screen-only="">
                <Marker box={box} zoom={zoom} answer={answer} point={hovered} className={classes.hovered} />
              </g>
            </svg>
          )}
        </div>
      </div>
      <p className={`uc-fine ${classes.reading}`}>
        {read && energyOf(read) !== undefined
          ? t('reading', {
              band: read.band + 1,
              place: legOf(hspNodes, hspLabels, kDist[read.point] ?? 0),
              energy: formatNumber(energyOf(read)),
            })
          : t('speed', { points: kDist.length, ms: answer.bandsMs.toFixed(1) })}
      </p>
    </div>
  );
}

/** Reserves the space of the chart, with a message while it loads. */
export const BandChartToCome = ({
  role,
  text,
}: {
  readonly role: 'status' | 'alert';
  readonly text: string;
}) => (
  <div className={classes.chart}>
    <div className={classes.surface}>
      <p className={`${classes.measure} ${classes.toCome}`} role={role}>
        {text}
      </p>
    </div>
    <p className={`uc-fine ${classes.reading}`}>&nbsp;</p>
  </div>
);

interface MarkerProps {
  readonly box: ChartBox;
  readonly zoom: Zoom;
  readonly answer: BandsAnswer;
  readonly point: BandPoint | null;
  readonly className: string | undefined;
}

function Marker({ box, zoom, answer, point, className }: MarkerProps) {
  const energy = point ? answer.bands[point.band]?.[point.point] : undefined;
  const k = point ? answer.kDist[point.point] : undefined;
  if (energy === undefined || k === undefined) return null;
  const isShown = [positionIn(energy, zoom.energy), positionIn(k, zoom.k)].every((at) => at >= 0 && at <= 1);
  return isShown ? (
    <circle
      className={className}
      cx={placeK(box, zoom.k, k)}
      cy={placeEnergy(box, zoom.energy, energy)}
      r={5}
    />
  ) : null;
}
