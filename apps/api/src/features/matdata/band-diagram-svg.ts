/**
 * Draws a band structure beside its density of states as self-contained SVG (spec §7.3, `pbe_elec_diagram`):
 * no script, no style sheet, no external reference. Text and axes use the surrounding text colour.
 *
 * Energies are relative to the Fermi level. Lines are solid for spin up and dashed for spin down. The density of
 * spin up is drawn to the right, the density of spin down (if any) to the left.
 */
import type { BandStructure, DensityOfStates } from '@unitcell/material';
import { kPointLabel } from '@unitcell/symmetry';

/** eV around the Fermi level; the relevant bands are within this window. */
const WINDOW = { from: -8, to: 8 } as const;
const SIZE = { width: 900, height: 440 } as const;
const PLOT = { top: 16, bottom: 396 } as const;
const BANDS = { left: 64, right: 610 } as const;
const DENSITY = { left: 640, right: 884 } as const;
/** Pixels between the highest density and the frame. */
const DENSITY_MARGIN = 8;
const TICK_STEP_EV = 2;
const COLORS = { up: '#2b6fa8', down: '#c4472d' } as const;

type Point = readonly [number, number];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** A tenth of a pixel is finer than any screen. */
const pixel = (value: number): number => Math.round(value * 10) / 10;
const path = (points: readonly Point[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${pixel(x)} ${pixel(y)}`).join('');

const line = (x1: number, y1: number, x2: number, y2: number, more = ''): string =>
  `<path d="${path([
    [x1, y1],
    [x2, y2],
  ])}" stroke="currentColor"${more}/>`;
const label = (x: number, y: number, content: string, anchor = 'middle'): string =>
  `<text x="${pixel(x)}" y="${pixel(y)}" text-anchor="${anchor}">${content}</text>`;
const frame = ({ left, right }: { left: number; right: number }): string =>
  `<rect x="${left}" y="${PLOT.top}" width="${right - left}" height="${PLOT.bottom - PLOT.top}" fill="none" stroke="currentColor"/>`;
/**
 * A nested svg element clips its content without an id, which could clash with another drawing on the page.
 */
const clipped = ({ left, right }: { left: number; right: number }, content: string): string => {
  const box = `${left} ${PLOT.top} ${right - left} ${PLOT.bottom - PLOT.top}`;
  const [x, y, width, height] = box.split(' ');
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box}" overflow="hidden">${content}</svg>`;
};

const energyScale =
  (fermiEnergy: number) =>
  (energy: number): number =>
    PLOT.bottom -
    ((energy - fermiEnergy - WINDOW.from) / (WINDOW.to - WINDOW.from)) * (PLOT.bottom - PLOT.top);

function nameOfPoint(name: string): string {
  const { symbol, index } = kPointLabel(name);
  return escaped(symbol) + (index && `<tspan dy="4" font-size="10">${escaped(index)}</tspan>`);
}

/** Labels at the same position are the two sides of a discontinuity: `U|K`. */
function labelsByPlace(bands: BandStructure, x: (distance: number) => number): Map<number, string[]> {
  const places = new Map<number, string[]>();
  for (const { index, label: name } of bands.labels) {
    const distance = bands.kDistance[index];
    if (distance === undefined) continue;
    const place = pixel(x(distance));
    const names = places.get(place) ?? [];
    if (!names.includes(name)) places.set(place, [...names, name]);
  }
  return places;
}

function bandCurves(
  energies: readonly (readonly number[])[],
  kDistance: readonly number[],
  scales: { readonly x: (distance: number) => number; readonly y: (energy: number) => number },
): string {
  const curves: string[] = [];
  const count = energies[0]?.length ?? 0;
  for (let band = 0; band < count; band++) {
    let points: Point[] = [];
    let isSeen = false;
    const finish = (): void => {
      if (isSeen) curves.push(path(points));
      points = [];
      isSeen = false;
    };
    kDistance.forEach((distance, index) => {
      // Two k-points at one position are a discontinuity, which no line crosses.
      if (distance === kDistance[index - 1]) finish();
      const energy = energies[index]?.[band];
      if (energy === undefined || !Number.isFinite(energy)) return;
      const y = scales.y(energy);
      if (y >= PLOT.top && y <= PLOT.bottom) isSeen = true;
      points.push([scales.x(distance), y]);
    });
    finish();
  }
  return curves.join('');
}

function bandPanel(bands: BandStructure): string {
  const longest = bands.kDistance.at(-1) || 1;
  const x = (distance: number): number => BANDS.left + (distance / longest) * (BANDS.right - BANDS.left);
  const scales = { x, y: energyScale(bands.fermiEnergy) };
  const up = bandCurves(bands.spinUp, bands.kDistance, scales);
  const down = bands.spinDown ? bandCurves(bands.spinDown, bands.kDistance, scales) : '';
  const points = [...labelsByPlace(bands, x)].map(
    ([place, names]) =>
      line(place, PLOT.top, place, PLOT.bottom, ' opacity="0.3"') +
      label(place, PLOT.bottom + 20, names.map(nameOfPoint).join('|')),
  );
  return (
    points.join('') +
    clipped(
      BANDS,
      `<path d="${up}" fill="none" stroke="${COLORS.up}" stroke-width="1.3"/>${
        down &&
        `<path d="${down}" fill="none" stroke="${COLORS.down}" stroke-width="1.3" stroke-dasharray="4 3"/>`
      }`,
    ) +
    frame(BANDS)
  );
}

function densityPanel(density: DensityOfStates): string {
  const y = energyScale(density.fermiEnergy);
  const isShown = density.energies.map((energy) => y(energy) >= PLOT.top && y(energy) <= PLOT.bottom);
  const largest = Math.max(
    ...[...density.total, ...(density.totalDown ?? [])].filter(
      (value, index) => isShown[index % density.energies.length] && Number.isFinite(value),
    ),
    Number.MIN_VALUE,
  );
  const zero = density.totalDown ? (DENSITY.left + DENSITY.right) / 2 : DENSITY.left;
  const reach = DENSITY.right - DENSITY_MARGIN - zero;
  const curve = (values: readonly number[], sign: 1 | -1, color: string): string => {
    const points = density.energies.map(
      (energy, index): Point => [zero + (sign * reach * (values[index] ?? 0)) / largest, y(energy)],
    );
    return `<path d="${path(points)}" fill="none" stroke="${color}" stroke-width="1.3"/>`;
  };
  const curves =
    curve(density.total, 1, COLORS.up) + (density.totalDown ? curve(density.totalDown, -1, COLORS.down) : '');
  const axis = density.totalDown ? line(zero, PLOT.top, zero, PLOT.bottom, ' opacity="0.3"') : '';
  return (
    axis +
    clipped(DENSITY, curves) +
    frame(DENSITY) +
    label((DENSITY.left + DENSITY.right) / 2, PLOT.bottom + 20, 'DOS (states/eV/cell)')
  );
}

function energyAxis(): string {
  const y = energyScale(0);
  const ticks: string[] = [];
  for (let energy = WINDOW.from; energy <= WINDOW.to; energy += TICK_STEP_EV)
    ticks.push(
      line(BANDS.left, y(energy), BANDS.left + 5, y(energy)) +
        label(BANDS.left - 8, y(energy) + 4, String(energy).replace('-', '−'), 'end'),
    );
  const middle = (PLOT.top + PLOT.bottom) / 2;
  const title = `<text x="20" y="${middle}" text-anchor="middle" transform="rotate(-90 20 ${middle})">E − E<tspan dy="4" font-size="10">F</tspan><tspan dy="-4"> (eV)</tspan></text>`;
  return ticks.join('') + title;
}

/**
 * Draws the diagram; returns an empty text if there are no bands.
 * @param bands energies in eV, `kDistance` in 1/Å
 * @param density of states of the same functional; without it the right panel is left out
 * @param title accessible name of the drawing; any text
 */
export function bandDiagramSvg(
  bands: BandStructure | undefined,
  density: DensityOfStates | undefined,
  title: string,
): string {
  if (!bands || bands.kDistance.length === 0) return '';
  const y0 = energyScale(0)(0);
  const right = density ? DENSITY.right : BANDS.right;
  const fermi = line(BANDS.left, y0, right, y0, ' stroke-dasharray="2 3"');
  const width = density ? SIZE.width : BANDS.right + SIZE.width - DENSITY.right;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${width} ${SIZE.height}" role="img" ` +
    `font-family="sans-serif" font-size="14" fill="currentColor"><title>${escaped(title)}</title>` +
    `${energyAxis()}${bandPanel(bands)}${density ? densityPanel(density) : ''}${fermi}</svg>`
  );
}
