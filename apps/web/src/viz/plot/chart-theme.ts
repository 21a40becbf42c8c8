/** The common look of all charts, read from the design tokens so that it follows the colour scheme. */
import type { Annotations, Data, Layout, LayoutAxis } from 'plotly.js';

export interface ChartColors {
  readonly ink: string;
  readonly faint: string;
  readonly rule: string;
  readonly surface: string;
  /** Series colours in the order of their use. */
  readonly series: readonly string[];
  readonly stable: string;
  readonly unstable: string;
  readonly highlight: string;
}

/** Tokens of the series colours in the order of their use. */
export const SERIES = [
  '--uc-prussian',
  '--uc-cinnabar',
  '--uc-malachite',
  '--uc-orpiment',
  '--uc-amethyst',
] as const;

/** Colours of the tokens as computed at `element`. */
export function chartColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: token('--uc-ink'),
    faint: token('--uc-ink-faint'),
    rule: token('--uc-rule'),
    surface: token('--uc-surface'),
    series: SERIES.map(token),
    stable: token('--uc-malachite'),
    unstable: token('--uc-cinnabar'),
    highlight: token('--uc-orpiment'),
  };
}

/** The font of the page (`--uc-font-sans`). Exported files fall back to other fonts. */
export const CHART_FONT =
  "'Inter Variable', 'Inter Fallback', 'Segoe UI', 'Noto Sans', 'Helvetica Neue', 'Liberation Sans', Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif";

/** An axis in the style of journals: a full frame, ticks inwards, no grid. */
export const axisStyle = (colors: ChartColors) => ({
  linecolor: colors.ink,
  linewidth: 1,
  mirror: true as const,
  showline: true,
  showgrid: false,
  zeroline: false,
  ticks: 'inside' as const,
  ticklen: 5,
  tickcolor: colors.ink,
  title: { standoff: 8, font: { size: 14 } },
});

/**
 * Energy scale and release at the lower right of a drawing, so that exported images contain them.
 * @param yshift px above the axis
 */
export const provenanceNote = (text: string, yshift: number, colors: ChartColors): Partial<Annotations> => ({
  text,
  xref: 'paper',
  yref: 'paper',
  x: 1,
  y: 0,
  yshift,
  xanchor: 'right',
  yanchor: 'bottom',
  showarrow: false,
  font: { size: 11, color: colors.faint },
});

/** A line without markers; null interrupts it. */
export const line = (
  x: readonly (number | null)[],
  y: readonly (number | null)[],
  color: string,
  more: object = {},
): Data => ({ type: 'scatter', mode: 'lines', x, y, line: { color, width: 1.5 }, ...more }) as Data;

/** `#rrggbb` → numbers. */
export function rgbOf(hex: string): readonly [number, number, number] {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The colour at a share of a colour scale (`#rrggbb`), with a brightness from 0 to 1. */
export function colorOn(stops: readonly (readonly [number, string])[], share: number, light = 1): string {
  const next = Math.max(
    1,
    stops.findIndex(([at]) => at >= share),
  );
  const above = share >= 1 ? stops.length - 1 : next;
  const [[low, from], [high, to]] = [stops[above - 1] ?? [0, ''], stops[above] ?? [1, '']];
  const part = Math.min(1, Math.max(0, (share - low) / (high - low)));
  const [a, b] = [rgbOf(from), rgbOf(to)];
  return `rgb(${a.map((value, index) => Math.round(light * (value + part * ((b[index] ?? 0) - value)))).join(', ')})`;
}

/** An axis whose title has the look of the theme. */
const withTitle = (
  axis: ReturnType<typeof axisStyle>,
  own: Partial<LayoutAxis> = {},
): Partial<LayoutAxis> => ({
  ...axis,
  ...own,
  title: { ...axis.title, ...(typeof own.title === 'object' ? own.title : {}) },
});

/** Layout shared by all plots; a plot's own settings take precedence. */
export function chartLayout(colors: ChartColors, own: Partial<Layout>): Partial<Layout> {
  const axis = axisStyle(colors);
  return {
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: CHART_FONT, size: 13, color: colors.ink },
    colorway: [...colors.series],
    margin: { l: 64, r: 20, t: 20, b: 52 },
    hoverlabel: {
      bgcolor: colors.surface,
      bordercolor: colors.ink,
      font: { family: CHART_FONT, size: 13, color: colors.ink },
      align: 'left',
    },
    legend: { orientation: 'h', y: 1.06, x: 0, yanchor: 'bottom' },
    ...own,
    xaxis: withTitle(axis, own.xaxis),
    yaxis: withTitle(axis, own.yaxis),
  };
}
