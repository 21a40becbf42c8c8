/** The frame of a small chart: axes with ticks inwards, names, and a scale from data to paper. */
import type { ReactNode } from 'react';
import classes from '../home.module.css';

export const WIDTH = 360;
export const HEIGHT = 230;
const MARGIN = { left: 50, right: 12, top: 10, bottom: 42 };

export interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

export const scaleOf = (x: readonly [number, number], y: readonly [number, number]): Scale => ({
  x: (value) => MARGIN.left + ((value - x[0]) / (x[1] - x[0])) * (WIDTH - MARGIN.left - MARGIN.right),
  y: (value) =>
    HEIGHT - MARGIN.bottom - ((value - y[0]) / (y[1] - y[0])) * (HEIGHT - MARGIN.top - MARGIN.bottom),
});

export interface Tick {
  readonly at: number;
  readonly text: string;
}

interface FrameProps {
  readonly scale: Scale;
  readonly label: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xName?: string;
  readonly yName: string;
  readonly children: ReactNode;
}

export function Frame({ scale, label, xTicks, yTicks, xName, yName, children }: FrameProps) {
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.figure} role="img" aria-label={label}>
      <rect x={left} y={top} width={right - left} height={bottom - top} className={classes.axes} />
      {xTicks.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${scale.x(at)} ${bottom}v-4`} className={classes.axes} />
          <text x={scale.x(at)} y={bottom + 16} textAnchor="middle" className={classes.tick}>
            {text}
          </text>
        </g>
      ))}
      {yTicks.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${left} ${scale.y(at)}h4`} className={classes.axes} />
          <text x={left - 6} y={scale.y(at) + 3.5} textAnchor="end" className={classes.tick}>
            {text}
          </text>
        </g>
      ))}
      {xName && (
        <text x={(left + right) / 2} y={HEIGHT - 7} textAnchor="middle" className={classes.axisName}>
          {xName}
        </text>
      )}
      <text
        transform={`translate(13 ${(top + bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
        className={classes.axisName}
      >
        {yName}
      </text>
      {children}
    </svg>
  );
}

export const pathOf = (points: readonly (readonly [number, number])[], scale: Scale): string =>
  points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`)
    .join('');
