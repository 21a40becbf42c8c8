/** Parts of the band chart. */
import { useId } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import type { BandsAnswer } from '../solver/messages.ts';
import {
  type ChartBox,
  type Interval,
  linePath,
  placeEnergy,
  placeK,
  positionIn,
  ticksOf,
} from '../view/chart-scale.ts';
import classes from '../tight-binding.module.css';

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

export function ChartFrame({ box, zoom, hspNodes, hspLabels, texts }: ChartFrameProps) {
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

export function BandLines({ box, zoom, kDist, bands }: BandLinesProps) {
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

export function DosCurve({ box, zoom, answer }: PartProps & { readonly answer: BandsAnswer }) {
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

export function FermiLine({ box, zoom, energy }: PartProps & { readonly energy: number }) {
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
