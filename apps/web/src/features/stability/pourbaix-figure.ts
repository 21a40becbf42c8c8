/** The Pourbaix diagram: regions by kind, lines of water, names, and the map of a compound's decomposition energy. */
import type { PourbaixRegionAnswer, PourbaixResult } from '@unitcell/contract/stability';
import { decompositionContour, planeEnergy, regionAt } from '@unitcell/phase-equilibria';
import type { Annotations } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import { type ChartColors, provenanceNote } from '../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../viz/plot/drawing.tsx';
import type { PlotFigure, Series } from '../../viz/plot/plot-figure.ts';

type RegionKind = PourbaixRegionAnswer['kind'];
export const REGION_KINDS: readonly RegionKind[] = ['immunity', 'passivation', 'corrosion', 'partial'];

/** px around the drawing; fixed, because the reading of the pointer depends on it. */
export const POURBAIX_MARGIN = { l: 64, r: 16, t: 16, b: 84 } as const;

/** eV/atom: contours of the map, and the share of its colour in each. */
export const MAP_LEVELS = [
  { level: 0.001, share: 0.75 },
  { level: 0.05, share: 0.5 },
  { level: 0.1, share: 0.34 },
  { level: 0.25, share: 0.2 },
  { level: 0.5, share: 0.1 },
] as const;

const SUPERSCRIPTS: Readonly<Record<string, string>> = { '+': '⁺', '-': '⁻' };
const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `Fe[2+]` → Fe²⁺, `Fe(OH)3(aq)` → Fe(OH)₃(aq). */
export function speciesText(formula: string): string {
  const [, body = formula, size = '', sign = ''] = /^(.+)\[(\d*)([+-])\]$/.exec(formula) ?? [];
  const isDissolved = body.endsWith('(aq)');
  const plain = formulaText(isDissolved ? body.slice(0, -4) : body);
  const charge = size.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? digit) + (SUPERSCRIPTS[sign] ?? '');
  return plain + charge + (isDissolved ? '(aq)' : '');
}

export const regionText = (
  { species }: PourbaixResult,
  region: Pick<PourbaixRegionAnswer, 'species'>,
): string => region.species.map(({ index }) => speciesText(species[index]?.formula ?? '')).join(' + ');

const kindColor = (kind: RegionKind, colors: ChartColors): string =>
  ({
    immunity: colors.faint,
    passivation: colors.stable,
    corrosion: colors.unstable,
    partial: colors.highlight,
  })[kind];

interface PourbaixReading {
  readonly region: PourbaixRegionAnswer | undefined;
  /** eV/atom of the placed compound; null without one. */
  readonly decomposition: number | null;
  /** Decomposition products of the compound, at its composition. */
  readonly products: Pick<PourbaixRegionAnswer, 'species'> | undefined;
}

export function readPoint({ regions, compound }: PourbaixResult, ph: number, volts: number): PourbaixReading {
  const products = compound === null ? undefined : regionAt(compound.regions, ph, volts);
  return {
    region: regionAt(regions, ph, volts),
    products,
    decomposition:
      compound === null || products === undefined
        ? null
        : planeEnergy(compound.plane, ph, volts) - planeEnergy(products.plane, ph, volts),
  };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function centreOf(corners: readonly Place[]): Place & { readonly area: number } {
  let [area, x, y] = [0, 0, 0];
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const cross = corner.x * next.y - next.x * corner.y;
    area += cross / 2;
    x += ((corner.x + next.x) * cross) / 6;
    y += ((corner.y + next.y) * cross) / 6;
  });
  return { area, x: x / area, y: y / area };
}

/** Length of a horizontal line through a place inside a convex polygon. */
function widthAt(corners: readonly Place[], y: number): number {
  const crossings = corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    if (corner.y > y === next.y > y) return [];
    return [corner.x + ((y - corner.y) / (next.y - corner.y)) * (next.x - corner.x)];
  });
  return crossings.length < 2 ? 0 : Math.max(...crossings) - Math.min(...crossings);
}

const heightAt = (corners: readonly Place[], x: number): number =>
  widthAt(
    corners.map((corner) => ({ x: corner.y, y: corner.x })),
    x,
  );

const closed = (corners: readonly Place[]) => {
  const [first] = corners;
  const all = first ? [...corners, first] : corners;
  return { x: all.map(({ x }) => x), y: all.map(({ y }) => y) };
};

interface PourbaixFigureTexts {
  readonly phAxis: string;
  readonly potentialAxis: string;
  readonly provenance: string;
}

interface PourbaixView {
  readonly result: PourbaixResult;
  readonly reading: { readonly ph: number; readonly volts: number };
  readonly hasMap: boolean;
  /** Formula of a phase whose regions are outlined; null for none. */
  readonly marked: string | null;
}

/** px */
const MARKED_WIDTH = 4;

/** px of a character and a line of a name at the size drawn. */
const CHARACTER = 7.2;
const LINE = 16;

/** The names of the regions where they fit, one species per line. */
function namesOf({ result }: PourbaixView, size: PaperSize, colors: ChartColors): Partial<Annotations>[] {
  const { window: shown } = result;
  const pixels = {
    x: (size.width - POURBAIX_MARGIN.l - POURBAIX_MARGIN.r) / (shown.ph_max - shown.ph_min),
    y: (size.height - POURBAIX_MARGIN.t - POURBAIX_MARGIN.b) / (shown.potential_max - shown.potential_min),
  };
  return result.regions.flatMap((region): Partial<Annotations>[] => {
    const corners = region.corners.map(({ ph: x, potential: y }) => ({ x, y }));
    const centre = centreOf(corners);
    const lines = region.species.map(({ index }) => speciesText(result.species[index]?.formula ?? ''));
    const width = Math.max(...lines.map((line) => line.length)) * CHARACTER;
    const height = lines.length * LINE;
    const room = { x: widthAt(corners, centre.y) * pixels.x, y: heightAt(corners, centre.x) * pixels.y };
    const isUpright = room.x >= width && room.y >= height;
    // A tall and narrow region has its name rotated.
    const isRotated = !isUpright && room.y >= width && room.x >= height;
    if (!isUpright && !isRotated) return [];
    return [
      {
        text: lines.join('<br>'),
        x: centre.x,
        y: centre.y,
        xanchor: 'center',
        yanchor: 'middle',
        showarrow: false,
        textangle: isRotated ? '-90' : '0',
        font: { size: 13, color: colors.ink },
      },
    ];
  });
}

const transparent = (color: string, share: number): string => {
  const value = Number.parseInt(color.replace('#', ''), 16);
  return `rgba(${(value >> 16) & 255}, ${(value >> 8) & 255}, ${value & 255}, ${share})`;
};
const KIND_SHARE = 0.2;

export function pourbaixFigure(
  view: PourbaixView,
  texts: PourbaixFigureTexts,
  colors: ChartColors,
  size: PaperSize,
): PlotFigure {
  const { result, reading, hasMap } = view;
  const { window: shown, water, compound, regions } = result;
  const plane = {
    ph: [shown.ph_min, shown.ph_max],
    potential: [shown.potential_min, shown.potential_max],
  } as const;
  const area = (corners: readonly Place[], fillcolor: string, width: number): Series => ({
    type: 'scatter',
    mode: 'lines',
    ...closed(corners),
    fill: 'toself',
    fillcolor,
    line: { color: colors.ink, width },
    hoverinfo: 'skip',
    showlegend: false,
  });
  const map =
    compound === null || !hasMap
      ? []
      : [...MAP_LEVELS].reverse().flatMap(({ level, share }) => {
          const corners = decompositionContour(
            compound.plane,
            compound.regions.map((region) => region.plane),
            level,
            plane,
          );
          return corners.length > 2 ? [area(corners, transparent(colors.stable, share), 0)] : [];
        });
  const isMarked = ({ species }: PourbaixResult['regions'][number]): boolean =>
    view.marked !== null && species.some(({ index }) => result.species[index]?.formula === view.marked);
  // Outlines of marked regions lie above those of their neighbours.
  const drawn = [...regions.filter((region) => !isMarked(region)), ...regions.filter(isMarked)];
  const kinds = drawn.map((region) =>
    area(
      region.corners.map(({ ph: x, potential: y }) => ({ x, y })),
      map.length > 0 ? 'rgba(0, 0, 0, 0)' : transparent(kindColor(region.kind, colors), KIND_SHARE),
      isMarked(region) ? MARKED_WIDTH : 1,
    ),
  );
  const waterLine = (atZero: number): Series => ({
    type: 'scatter',
    mode: 'lines',
    x: [...plane.ph],
    y: plane.ph.map((ph) => atZero + water.slope * ph),
    line: { color: colors.series[0] ?? colors.ink, width: 1.5, dash: 'dash' },
    hoverinfo: 'skip',
    showlegend: false,
  });
  return {
    data: [
      ...map,
      ...kinds,
      waterLine(water.hydrogen),
      waterLine(water.oxygen),
      {
        type: 'scatter',
        mode: 'markers',
        x: [reading.ph],
        y: [reading.volts],
        marker: { color: colors.surface, size: 10, line: { color: colors.ink, width: 2 } },
        hoverinfo: 'skip',
        showlegend: false,
      },
    ],
    layout: {
      margin: POURBAIX_MARGIN,
      hovermode: false,
      dragmode: false,
      xaxis: { title: { text: texts.phAxis }, range: [...plane.ph], fixedrange: true, dtick: 2 },
      yaxis: { title: { text: texts.potentialAxis }, range: [...plane.potential], fixedrange: true },
      annotations: [
        ...namesOf(view, size, colors),
        provenanceNote(texts.provenance, 4 - POURBAIX_MARGIN.b, colors),
      ],
    },
  };
}
