/** State of the Ellingham page in its address: `?kind=oxide&el=Fe,Ti,Al,C&T=1273&s=p`. */
import {
  ELLINGHAM_DIAGRAMS,
  ELLINGHAM_TEMPERATURES,
  type EllinghamDiagram,
  STABILITY_TEMPERATURES,
} from '@unitcell/contract/stability/rules';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';

export const GAS_SCALES = ['none', 'pressure', 'co', 'h2'] as const;
export type GasScale = (typeof GAS_SCALES)[number];

export interface EllinghamInput {
  readonly kind: EllinghamDiagram;
  /** Symbols joined by spaces. */
  readonly elements: string;
  /** K */
  readonly min: number;
  readonly max: number;
  /** Temperature in K for which the values of the lines are listed. */
  readonly reading: number;
  readonly gasScale: GasScale;
  readonly hasComputed: boolean;
  /** Energy scale; null for the site's default. */
  readonly scale: string | null;
}

/** Default elements of each kind of diagram: those that textbooks usually show. */
export const DEFAULT_ELEMENTS: Readonly<Record<EllinghamDiagram, string>> = {
  oxide: 'Fe Ti Al C',
  sulfide: 'Cu Fe Mn Ca H',
  nitride: 'Fe Si Al Ti H',
  chloride: 'Ag Fe Mg Na H',
  carbonate: 'Mg Mn Ca Ba Na',
};
export const DEFAULT_READING = 1273;

const within = (text: string | null, otherwise: number): number => {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return value >= STABILITY_TEMPERATURES.min && value <= STABILITY_TEMPERATURES.max ? value : otherwise;
};

/** Invalid values fall back to their defaults. */
export function readEllingham(parameters: URLSearchParams): EllinghamInput {
  const kind = ELLINGHAM_DIAGRAMS.find((one) => one === parameters.get('kind')) ?? 'oxide';
  const elements = (parameters.get('el') ?? '').split(/[\s,]+/).filter((text) => text !== '');
  return {
    kind,
    elements: elements.length > 0 ? elements.join(' ') : DEFAULT_ELEMENTS[kind],
    min: within(parameters.get('min'), ELLINGHAM_TEMPERATURES.min),
    max: within(parameters.get('max'), ELLINGHAM_TEMPERATURES.max),
    reading: within(parameters.get('T'), DEFAULT_READING),
    gasScale: GAS_SCALES.find((one) => one === parameters.get('s')) ?? 'pressure',
    hasComputed: parameters.get('computed') !== '0',
    scale: readScale(parameters),
  };
}

export function writeEllingham(input: EllinghamInput): URLSearchParams {
  const parameters = new URLSearchParams({
    kind: input.kind,
    el: input.elements
      .trim()
      .split(/[\s,]+/)
      .join(','),
  });
  if (input.min !== ELLINGHAM_TEMPERATURES.min) parameters.set('min', String(input.min));
  if (input.max !== ELLINGHAM_TEMPERATURES.max) parameters.set('max', String(input.max));
  if (input.reading !== DEFAULT_READING) parameters.set('T', String(input.reading));
  if (input.gasScale !== 'pressure') parameters.set('s', input.gasScale);
  if (!input.hasComputed) parameters.set('computed', '0');
  if (input.scale !== null) parameters.set(SCALE_PARAMETER, input.scale);
  return parameters;
}
