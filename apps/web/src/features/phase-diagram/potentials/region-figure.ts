/** The figure of a region of chemical potentials; its sides have the colours of the phases that bound it. */
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import type { PolygonCorner } from '@unitcell/phase-equilibria';
import type { Annotations, Data, Layout } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import { type ChartColors, provenanceNote } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { type AxisPair, drawnRegion, potentialsAt } from './region-of.ts';

export interface RegionFigureInput {
  readonly answer: ChemicalPotentials;
  readonly pair: AxisPair;
  /** Potential of the fixed element, eV/atom; unused if no element is fixed. */
  readonly held: number;
  /** Chemical potentials in a gas to mark, at most one on each axis. */
  readonly marks: readonly PotentialMark[];
  /** Potentials of the corner highlighted in the table. */
  readonly highlighted: readonly number[] | null;
  /** On a phone labels have more room beside the sides. */
  readonly isCompact?: boolean;
  readonly texts: {
    /** `{element}` is replaced by the symbol. */
    readonly axis: string;
    /** `{formula}` is replaced by the phase. */
    readonly beside: string;
    readonly goesOn: string;
    readonly provenance: string;
  };
}

export interface PotentialMark {
  readonly axis: 'x' | 'y';
  /** eV/atom */
  readonly potential: number;
  readonly name: string;
}

/** Minimum length of a side, eV/atom. A limit that only touches a corner of the region is not a side. */
const SHORTEST_SIDE = 1e-6;

/** Minimum length of a labelled side, as a share of the drawing's extent. */
const NAMED_SIDE = 0.16;

/** Margin around the region, as a share of its extent. */
const MARGIN = 0.14;
/** The same along the horizontal axis of a phone, where a label is a third of the drawing wide. */
const COMPACT_MARGIN = 0.36;

/** Minimum width of a region with its label inside, as a share of the drawing. */
const NAMED_WIDTH = 0.1;

/**
 * If a gas is further from the region than this share of its extent, it is only described in text: drawing it would
 * shrink the region to a dot.
 */
const GAS_REACH = 0.6;

/** Space in px below the axis, with the provenance at the bottom. */
const BOTTOM = 92;

/** If all series colours are used, they are repeated with dashed lines. */
const DASHES = ['solid', 'dash', 'dashdot', 'longdash'] as const;

interface Side {
  readonly from: PolygonCorner;
  readonly to: PolygonCorner;
}

const sidesOf = (corners: readonly PolygonCorner[]): readonly Side[] =>
  corners.length === 2
    ? []
    : corners.flatMap((from, i) => {
        const to = corners[(i + 1) % corners.length];
        const isSide = to && Math.hypot(to.x - from.x, to.y - from.y) > SHORTEST_SIDE;
        return isSide ? [{ from, to }] : [];
      });

/** Axis range for these values, and for the gas if it is near. */
function rangeAlong(values: readonly number[], gas: number | null, share = MARGIN): [number, number] {
  const ends = [Math.min(...values), Math.max(...values)] as const;
  const reach = GAS_REACH * Math.max(0.1, ends[1] - ends[0]);
  const isNear = gas !== null && gas >= ends[0] - reach && gas <= ends[1] + reach;
  const min = isNear ? Math.min(gas, ends[0]) : ends[0];
  const max = isNear ? Math.max(gas, ends[1]) : ends[1];
  const margin = Math.max(0.05, (max - min) * share);
  return [min - margin, max + margin];
}

export function regionFigure(input: RegionFigureInput, colors: ChartColors): PlotFigure {
  const { answer, pair, held, marks, highlighted, isCompact = false, texts } = input;
  const { elements, compound, limits } = answer;
  const corners = drawnRegion(answer, pair, held);
  const sides = sidesOf(corners);
  const markOn = (axis: 'x' | 'y'): number | null =>
    marks.find((mark) => mark.axis === axis)?.potential ?? null;
  const x = rangeAlong(
    corners.map((corner) => corner.x),
    markOn('x'),
    isCompact ? COMPACT_MARGIN : MARGIN,
  );
  const y = rangeAlong(
    corners.map((corner) => corner.y),
    markOn('y'),
  );
  const drawnMarks = marks.filter(({ axis, potential }) => {
    const [lowest, highest] = axis === 'x' ? x : y;
    return potential > lowest && potential < highest;
  });
  const nameOf = (limit: number | null): string =>
    limit === null ? texts.goesOn : formulaText(limits[limit]?.formula ?? '');
  // A phase keeps its colour and dash when the plane of the drawing moves.
  const lookOf = (limit: number | null) =>
    limit === null
      ? { color: colors.faint, dash: 'dot' as const }
      : {
          color: colors.series[limit % colors.series.length] ?? colors.ink,
          dash: DASHES[Math.floor(limit / colors.series.length) % DASHES.length] ?? 'solid',
        };

  const extent = { x: x[1] - x[0], y: y[1] - y[0] };
  const hover = ({ x: atX, y: atY }: PolygonCorner): string =>
    potentialsAt(answer, pair, held, { x: atX, y: atY })
      .map((value, element) => `Δμ(${elements[element]}) ${value.toFixed(3)} eV`)
      .join('<br>');
  const data: Data[] = [
    {
      type: 'scatter',
      mode: 'lines',
      x: [...corners, ...corners.slice(0, 1)].map((corner) => corner.x),
      y: [...corners, ...corners.slice(0, 1)].map((corner) => corner.y),
      fill: corners.length > 2 ? 'toself' : 'none',
      fillcolor: colors.stable,
      opacity: corners.length > 2 ? 0.14 : 1,
      line: { color: colors.ink, width: corners.length > 2 ? 0 : 3 },
      hoverinfo: 'skip',
      showlegend: false,
    },
    ...sides.map(
      ({ from, to }): Data => ({
        type: 'scatter',
        mode: 'lines',
        x: [from.x, to.x],
        y: [from.y, to.y],
        name: from.limit === null ? texts.goesOn : texts.beside.replace('{formula}', nameOf(from.limit)),
        line: { ...lookOf(from.limit), width: 3 },
        hoverinfo: 'name',
        showlegend: !isNamed({ from, to }, extent),
      }),
    ),
    {
      type: 'scatter',
      mode: 'markers',
      x: corners.map((corner) => corner.x),
      y: corners.map((corner) => corner.y),
      hovertext: corners.map(hover),
      hoverinfo: 'text',
      marker: { color: colors.ink, size: 7 },
      showlegend: false,
    },
    ...drawnMarks.map(
      ({ axis, potential, name }): Data => ({
        type: 'scatter',
        mode: 'lines',
        x: axis === 'x' ? [potential, potential] : x,
        y: axis === 'x' ? y : [potential, potential],
        name,
        line: { color: colors.faint, width: 1.5, dash: axis === 'x' ? 'dot' : 'dash' },
        hoverinfo: 'name',
      }),
    ),
    {
      type: 'scatter',
      mode: 'markers',
      x: highlighted ? [highlighted[pair.x] ?? 0] : [],
      y: highlighted ? [highlighted[pair.y] ?? 0] : [],
      hoverinfo: 'skip',
      showlegend: false,
      marker: {
        color: colors.highlight,
        size: 16,
        symbol: 'circle-open',
        line: { color: colors.highlight, width: 3 },
      },
    },
  ];
  const axisTitle = (element: number): string => texts.axis.replace('{element}', elements[element] ?? '');
  const layout: Partial<Layout> = {
    hovermode: 'closest',
    showlegend: corners.length > 2 || drawnMarks.length > 0,
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
    margin: { l: 70, r: 20, t: 44, b: BOTTOM },
    xaxis: { title: { text: axisTitle(pair.x) }, range: x },
    yaxis: { title: { text: axisTitle(pair.y) }, range: y },
    annotations: [
      ...sideNames(input, corners, extent, colors),
      {
        text: `<b>${formulaText(compound.formula)}</b>`,
        ...middle(corners),
        showarrow: false,
        font: { size: 15, color: colors.ink },
        visible: isRoomy(corners, extent),
      },
      provenanceNote(texts.provenance, 4 - BOTTOM, colors),
    ],
  };
  return { data, layout };
}

const middle = (corners: readonly PolygonCorner[]) => ({
  x: corners.reduce((total, corner) => total + corner.x, 0) / Math.max(1, corners.length),
  y: corners.reduce((total, corner) => total + corner.y, 0) / Math.max(1, corners.length),
});

interface Extent {
  readonly x: number;
  readonly y: number;
}

/** True if the side has a label in the drawing. */
const isNamed = ({ from, to }: Side, extent: Extent): boolean =>
  from.limit !== null && Math.hypot((to.x - from.x) / extent.x, (to.y - from.y) / extent.y) >= NAMED_SIDE;

/** True if the compound's name fits inside. */
function isRoomy(corners: readonly PolygonCorner[], extent: Extent): boolean {
  const centre = middle(corners);
  const distances = sidesOf(corners).map(({ from, to }) => {
    const [dx, dy] = [(to.x - from.x) / extent.x, (to.y - from.y) / extent.y];
    const cross = dx * ((centre.y - from.y) / extent.y) - dy * ((centre.x - from.x) / extent.x);
    return Math.abs(cross) / Math.hypot(dx, dy);
  });
  return corners.length > 2 && Math.min(...distances) > NAMED_WIDTH / 2;
}

/** Labels outside the longer sides; for a line, at its two ends. */
function sideNames(
  { answer: { limits } }: RegionFigureInput,
  corners: readonly PolygonCorner[],
  extent: Extent,
  colors: ChartColors,
): readonly Partial<Annotations>[] {
  const name = (
    limit: number,
    at: { readonly x: number; readonly y: number },
    /** Outward direction of a side of the region, in shares of the drawing. */
    [right, up]: readonly [number, number],
  ): Partial<Annotations> => {
    const length = Math.hypot(right, up) || 1;
    return {
      text: formulaText(limits[limit]?.formula ?? ''),
      x: at.x,
      y: at.y,
      xanchor: right / length > 0.3 ? 'left' : right / length < -0.3 ? 'right' : 'center',
      yanchor: up / length > 0.5 ? 'bottom' : up / length < -0.5 ? 'top' : 'middle',
      xshift: (7 * right) / length,
      yshift: (7 * up) / length,
      showarrow: false,
      font: { size: 12, color: colors.ink },
    };
  };
  if (corners.length === 2)
    return corners.flatMap(({ x, y, limit }) => {
      const centre = middle(corners);
      return limit === null
        ? []
        : [name(limit, { x, y }, [(x - centre.x) / extent.x, (y - centre.y) / extent.y])];
    });
  return sidesOf(corners).flatMap(({ from, to }) => {
    const [dx, dy] = [(to.x - from.x) / extent.x, (to.y - from.y) / extent.y];
    if (from.limit === null || !isNamed({ from, to }, extent)) return [];
    // The corners run counter-clockwise, so outside is on the right of each side.
    return [name(from.limit, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, [dy, -dx])];
  });
}
