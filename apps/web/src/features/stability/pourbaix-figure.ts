/** The Pourbaix diagram: regions by kind, lines of water, names, and the map of a compound's decomposition energy. */
import type { PourbaixRegionAnswer, PourbaixResult } from '@unitcell/contract/stability';
import { polygonBelow, planeEnergy, regionAt } from '@unitcell/phase-equilibria';
import type { Annotations } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import { type ChartColors, provenanceNote, rgbOf } from '../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../viz/plot/drawing.tsx';
import { textHeight, textWidth } from '../../viz/plot/rich-text.tsx';
import type { PlotFigure, Series } from '../../viz/plot/plot-figure.ts';

type RegionKind = PourbaixRegionAnswer['kind'];
export const REGION_KINDS: readonly RegionKind[] = [
  'immunity',
  'passivation',
  'hydride',
  'corrosion',
  'partial',
];

/** Margins in px; fixed, because the position of the pointer is computed from them. */
export const POURBAIX_MARGIN = { l: 64, r: 16, t: 16, b: 84 } as const;

/** Contours of the decomposition energy in eV/atom, each with the opacity of its colour. */
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
    hydride: colors.series[4] ?? colors.ink,
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

/** The polygon in which the decomposition energy of the compound is at most `level`; empty if there is none. */
const contourOf = ({ compound, window: shown }: PourbaixResult, level: number): readonly Place[] =>
  compound === null
    ? []
    : polygonBelow(
        compound.plane,
        compound.regions.map((region) => region.plane),
        level,
        { ph: [shown.ph_min, shown.ph_max], potential: [shown.potential_min, shown.potential_max] },
      );

/** Whether the map of the decomposition energy has any area: the compound is within its widest level somewhere. */
export const hasMapArea = (result: PourbaixResult): boolean =>
  contourOf(result, MAP_LEVELS[MAP_LEVELS.length - 1]?.level ?? 0).length > 2;

function areaAndCentre(corners: readonly Place[]) {
  let [area, x, y] = [0, 0, 0];
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const cross = corner.x * next.y - next.x * corner.y;
    area += cross / 2;
    x += ((corner.x + next.x) * cross) / 6;
    y += ((corner.y + next.y) * cross) / 6;
  });
  return { area, centre: { x: x / area, y: y / area } };
}

/** Whether a convex polygon, counter-clockwise, contains a point. */
const isInside = (corners: readonly Place[], { x, y }: Place): boolean =>
  corners.every((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    return (next.x - corner.x) * (y - corner.y) >= (next.y - corner.y) * (x - corner.x);
  });

/** @param half half the width and height of the box */
const isBoxInside = (corners: readonly Place[], { x, y }: Place, half: Place): boolean =>
  [-1, 1].every((right) =>
    [-1, 1].every((up) => isInside(corners, { x: x + right * half.x, y: y + up * half.y })),
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

/** Sizes tried for a name, in px: small regions have small names. */
const NAME_SIZES = [13, 11] as const;
/** Opacity of the background behind a name. Elsewhere than on the map only names without a free place have one. */
const HALO = 0.6;
/** px kept free around a name and around the point where the diagram is read. */
const ROOM = 3;
const POINT_ROOM = 9;
/** Number of positions tried along each side of the bounding box of a region. */
const TRIED = 24;

/**
 * The positions in a region at which a box fits, those near the centre first. All in px, y upwards.
 * @param half half the width and height of the box
 */
function placesIn(corners: readonly Place[], half: Place): Place[] {
  const { centre } = areaAndCentre(corners);
  const away = ({ x, y }: Place): number => Math.hypot(x - centre.x, y - centre.y);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const along = (values: readonly number[], step: number): number =>
    Math.min(...values) + ((step + 0.5) / TRIED) * (Math.max(...values) - Math.min(...values));
  const grid = Array.from({ length: TRIED ** 2 }, (_, index) => ({
    x: along(xs, index % TRIED),
    y: along(ys, Math.floor(index / TRIED)),
  }));
  return [centre, ...grid]
    .filter((place) => isBoxInside(corners, place, half))
    .toSorted((one, other) => away(one) - away(other));
}

/** For names outside their region: its minimum area in px², and the directions and distances in px tried. */
const SMALLEST_NAMED = 200;
const DIRECTIONS = 16;
const REACHES = [24, 36, 52];

interface Block {
  readonly place: Place;
  readonly half: Place;
}

/**
 * The names of the regions, one species per line, beside a small region if they do not fit. They overlap neither the
 * lines of water nor the selected point.
 */
function namesOf(
  { result, reading, hasMap }: PourbaixView,
  size: PaperSize,
  colors: ChartColors,
): Partial<Annotations>[] {
  const { window: shown, water } = result;
  const scale = {
    x: (size.width - POURBAIX_MARGIN.l - POURBAIX_MARGIN.r) / (shown.ph_max - shown.ph_min),
    y: (size.height - POURBAIX_MARGIN.t - POURBAIX_MARGIN.b) / (shown.potential_max - shown.potential_min),
  };
  const inPixels = (ph: number, volts: number): Place => ({ x: ph * scale.x, y: volts * scale.y });
  const point = inPixels(reading.ph, reading.volts);
  const isFree = ({ x, y }: Place, half: Place): boolean =>
    (Math.abs(x - point.x) > half.x + POINT_ROOM || Math.abs(y - point.y) > half.y + POINT_ROOM) &&
    [water.hydrogen, water.oxygen].every((atZero) => {
      const heights = [x - half.x, x + half.x].map(
        (edge) => atZero * scale.y + (water.slope * scale.y * edge) / scale.x,
      );
      return Math.min(...heights) > y + half.y || Math.max(...heights) < y - half.y;
    });
  const all = result.regions.map((region) => ({
    corners: region.corners.map(({ ph, potential }) => inPixels(ph, potential)),
    text: region.species.map(({ index }) => speciesText(result.species[index]?.formula ?? '')).join('<br>'),
  }));
  // Names would be hard to read on the darkest colours of the map.
  const isOnMap = hasMap && hasMapArea(result);
  const taken: Block[] = [];
  const isTaken = ({ x, y }: Place, half: Place): boolean =>
    taken.some(
      (other) =>
        Math.abs(x - other.place.x) < half.x + other.half.x &&
        Math.abs(y - other.place.y) < half.y + other.half.y,
    );
  const inside = all.map(({ corners, text }): Partial<Annotations> | null => {
    // A tall and narrow region has its name rotated.
    const ways = NAME_SIZES.flatMap((fontSize) => {
      const [width, height] = [textWidth(text, fontSize) / 2 + ROOM, textHeight(text, fontSize) / 2 + ROOM];
      return [
        { fontSize, angle: '0', half: { x: width, y: height } },
        { fontSize, angle: '-90', half: { x: height, y: width } },
      ].map((way) => ({ ...way, places: placesIn(corners, way.half) }));
    });
    const free = ways.flatMap(({ fontSize, angle, half, places }) =>
      places
        .filter((place) => isFree(place, half))
        .slice(0, 1)
        .map((place) => ({ fontSize, angle, half, place, isCovering: false })),
    );
    const covering = ways.flatMap(({ fontSize, angle, half, places }) =>
      places.slice(0, 1).map((place) => ({ fontSize, angle, half, place, isCovering: true })),
    );
    const [best] = [...free, ...covering];
    if (!best) return null;
    const { fontSize, angle, half, place, isCovering } = best;
    taken.push({ place, half });
    return {
      text,
      x: place.x / scale.x,
      y: place.y / scale.y,
      xanchor: 'center',
      yanchor: 'middle',
      showarrow: false,
      textangle: angle,
      font: { size: fontSize, color: colors.ink },
      ...(isCovering || isOnMap ? { bgcolor: transparent(colors.surface, HALO) } : {}),
    };
  });
  const isInOne = (place: Place, half: Place): boolean =>
    all.some(({ corners }) => isBoxInside(corners, place, half));
  /** The name of a small region, outside of it, with a line to it. */
  const outside = all.flatMap(({ corners, text }, index): Partial<Annotations>[] => {
    const { area, centre } = areaAndCentre(corners);
    if (inside[index] || area < SMALLEST_NAMED || text.includes('<br>')) return [];
    const [, fontSize] = NAME_SIZES;
    const half = { x: textWidth(text, fontSize) / 2 + ROOM, y: textHeight(text, fontSize) / 2 + ROOM };
    const place = REACHES.flatMap((reach) =>
      Array.from({ length: DIRECTIONS }, (_, step): Place => {
        const angle = (2 * Math.PI * step) / DIRECTIONS;
        return {
          x: centre.x + (reach + half.x) * Math.cos(angle),
          y: centre.y + reach * Math.sin(angle),
        };
      }),
    ).find((each) => isInOne(each, half) && isFree(each, half) && !isTaken(each, half));
    if (!place) return [];
    taken.push({ place, half });
    return [
      {
        text,
        x: centre.x / scale.x,
        y: centre.y / scale.y,
        ax: place.x - centre.x,
        ay: centre.y - place.y,
        showarrow: true,
        arrowhead: 0,
        arrowwidth: 0.8,
        arrowcolor: colors.ink,
        borderpad: 0,
        font: { size: fontSize, color: colors.ink },
        ...(isOnMap ? { bgcolor: transparent(colors.surface, HALO) } : {}),
      },
    ];
  });
  return [...inside.filter((note) => note !== null), ...outside];
}

const transparent = (color: string, share: number): string => `rgba(${rgbOf(color).join(', ')}, ${share})`;
const KIND_SHARE = 0.2;

export function pourbaixFigure(
  view: PourbaixView,
  texts: PourbaixFigureTexts,
  colors: ChartColors,
  size: PaperSize,
): PlotFigure {
  const { result, reading, hasMap } = view;
  const { window: shown, water, regions } = result;
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
  const map = !hasMap
    ? []
    : [...MAP_LEVELS].reverse().flatMap(({ level, share }) => {
        const corners = contourOf(result, level);
        return corners.length > 2 ? [area(corners, transparent(colors.stable, share), 0)] : [];
      });
  const isMarked = ({ species }: PourbaixResult['regions'][number]): boolean =>
    view.marked !== null && species.some(({ index }) => result.species[index]?.formula === view.marked);
  // Marked regions are drawn last, so that their outlines lie above those of the neighbouring regions.
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
