/** Bands beside the density of states on one energy axis, as SVG that is light enough to redraw thirty times a second. */
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type Ref, useMemo, useRef, useState, useId } from 'react';
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
  linePath,
  ticksOf,
} from '../view/chart-scale.ts';
import { usePanZoom } from '../view/use-pan-zoom.ts';
import classes from '../tight-binding.module.css';

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

  /** Converts a position (shares of the element) to k and energy. Right of the bands k is undefined. */
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
    <div className={`uc-panel ${classes.chart}`}>
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
  <div className={`uc-panel ${classes.chart}`}>
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

interface PartProps {
  readonly box: ChartBox;
  readonly zoom: { readonly k: Interval; readonly energy: Interval };
}

/** Labels closer than this, in pixels, would overlap. */
const LABEL_ROOM = 16;

interface ChartFrameProps extends PartProps {
  readonly hspNodes: readonly number[];
  readonly hspLabels: readonly string[];
  readonly texts: { readonly energy: string; readonly dos: string };
}

function ChartFrame({ box, zoom, hspNodes, hspLabels, texts }: ChartFrameProps) {
  const bottom = box.top + box.height;
  const ticks = ticksOf(zoom.energy, box.height / 34);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const corners = hspNodes
    .map((node, index) => ({ x: placeK(box, zoom.k, node), label: hspLabels[index] ?? '', index }))
    .filter(({ x }) => x >= box.left - 0.5 && x <= box.left + box.bandsWidth + 0.5);
  const labels = corners.filter(({ x }, n) => n === 0 || x - (corners[n - 1]?.x ?? 0) > LABEL_ROOM);
  return (
    <g>
      <g className={classes.tickText}>
        {ticks.map((energy) => {
          const y = placeEnergy(box, zoom.energy, energy);
          return (
            <g key={energy}>
              <path className={classes.tick} d={`M${box.left} ${y}h5M${box.dosLeft} ${y}h5`} />
              <text x={box.left - 7} y={y} textAnchor="end" dominantBaseline="central">
                {formatNumber(energy, { decimals })}
              </text>
            </g>
          );
        })}
      </g>
      {corners.map(({ x, index }) => (
        <path key={index} className={classes.corner} d={`M${x} ${box.top}V${bottom}`} />
      ))}
      {labels.map(({ x, label, index }) => (
        <text key={index} className={classes.cornerText} x={x} y={bottom + 19} textAnchor="middle">
          {label.replace(/(\D)(\d)$/, '$1')}
          {/\D\d$/.test(label) && <tspan fontSize="0.75em">{label.slice(-1)}</tspan>}
        </text>
      ))}
      <rect className={classes.frame} x={box.left} y={box.top} width={box.bandsWidth} height={box.height} />
      <rect className={classes.frame} x={box.dosLeft} y={box.top} width={box.dosWidth} height={box.height} />
      <text className={classes.axis} x={box.left} y={box.top - 10}>
        {texts.energy}
      </text>
      <text className={classes.axis} x={box.dosLeft} y={box.top - 10}>
        {texts.dos}
      </text>
    </g>
  );
}

interface BandLinesProps extends PartProps {
  readonly kDist: readonly number[];
  readonly bands: readonly (readonly number[])[];
}

function BandLines({ box, zoom, kDist, bands }: BandLinesProps) {
  const clip = useId();
  const xs = kDist.map((k) => placeK(box, zoom.k, k));
  const path = bands
    .map((band) =>
      linePath(
        xs,
        band.map((e) => placeEnergy(box, zoom.energy, e)),
      ),
    )
    .join('');
  return (
    <g>
      <clipPath id={clip}>
        <rect x={box.left} y={box.top} width={box.bandsWidth} height={box.height} />
      </clipPath>
      <path className={classes.band} clipPath={`url(#${clip})`} d={path} data-bands={bands.length} />
    </g>
  );
}

/** Maximum density shown, in multiples of the median: a flat band puts all its states into one bin. */
const PEAK_CUT = 7;

/** The density that fills the width of the panel. Flat bands may exceed it, so that other bands stay visible. */
function densityScale(density: readonly number[]): number {
  const filled = density.filter((value) => value > 0).sort((a, b) => a - b);
  const middle = filled[Math.floor(filled.length / 2)] ?? 1;
  return Math.min(filled.at(-1) ?? 1, middle * PEAK_CUT) || 1;
}

function DosCurve({ box, zoom, answer }: PartProps & { readonly answer: BandsAnswer }) {
  const clip = useId();
  const { energies, density } = answer.dos;
  const scale = densityScale(density);
  const fermi = answer.fermi.energy;
  const place = (from: number, to: number): string => {
    const rows = energies
      .map((energy, bin) => [energy, density[bin] ?? 0] as const)
      .filter(([energy]) => energy >= from && energy <= to);
    const x = rows.map(([, value]) => box.dosLeft + (value / scale) * box.dosWidth * 0.94);
    return linePath(
      x,
      rows.map(([energy]) => placeEnergy(box, zoom.energy, energy)),
    );
  };
  const [low, high] = [energies[0] ?? 0, energies.at(-1) ?? 0];
  const occupied = place(low, fermi);
  return (
    <g clipPath={`url(#${clip})`}>
      <clipPath id={clip}>
        <rect x={box.dosLeft} y={box.top} width={box.dosWidth} height={box.height} />
      </clipPath>
      {occupied !== '' && (
        <path
          className={classes.occupied}
          d={`${occupied}H${box.dosLeft}V${placeEnergy(box, zoom.energy, low)}Z`}
        />
      )}
      <path className={classes.dos} d={place(low, high)} />
    </g>
  );
}

function FermiLine({ box, zoom, energy }: PartProps & { readonly energy: number }) {
  const at = positionIn(energy, zoom.energy);
  if (at < 0 || at > 1) return null;
  const y = placeEnergy(box, zoom.energy, energy);
  const right = box.left + box.bandsWidth;
  return (
    <g>
      <path
        className={classes.bandChartFermi}
        d={`M${box.left} ${y}H${right}M${box.dosLeft} ${y}h${box.dosWidth}`}
      />
      <text className={classes.fermiText} x={box.dosLeft + box.dosWidth - 4} y={y - 5} textAnchor="end">
        E
        <tspan fontSize="0.75em" dy="2">
          F
        </tspan>
      </text>
    </g>
  );
}
