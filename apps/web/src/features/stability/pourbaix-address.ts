/**
 * State of the Pourbaix page in its address: `?el=Fe,Cr&c=1e-6,1e-3&pH=7&U=0.2&ion=Fe[2%2B]:-91.5`, and the request
 * made from it.
 */
import { drawPourbaix } from '@unitcell/contract/calls';
import type { PredictedInterval } from '@unitcell/contract/prediction';
import {
  DEFAULT_CONCENTRATION,
  MAX_OWN_IONS,
  POURBAIX_PH,
  POURBAIX_POTENTIALS,
} from '@unitcell/contract/stability/rules';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';
import { energyText, readEnergyText } from '../../components/own-crystal.tsx';
import type { RequestOf } from '../../lib/api-client.ts';

export interface OwnIon {
  /** `Fe(OH)4[-]` */
  readonly formula: string;
  /** kJ/mol */
  readonly gibbs: number;
}

export interface PourbaixInput {
  /** Symbols joined by spaces. */
  readonly elements: string;
  /** Amounts of the elements in their order; empty for the default. */
  readonly ratio: readonly number[];
  /** Concentrations in mol/l, in the order of the elements; empty for 1e-6 mol/l each. */
  readonly concentrations: readonly number[];
  readonly energies: 'computed' | 'measured';
  /** V */
  readonly min: number;
  readonly max: number;
  /** The selected point of the diagram (pH and potential). */
  readonly ph: number;
  readonly volts: number;
  readonly ions: readonly OwnIon[];
  /** A material (`#21`) or a formula to place. */
  readonly compound: string;
  /** Formation energy of that compound in eV/atom, with an interval if predicted; null: the energy of the catalogue. */
  readonly compoundEnergy: PredictedInterval | null;
  /** Energy scale; null for the site's default. */
  readonly scale: string | null;
}

const DEFAULT_READING = { ph: 7, volts: 0 } as const;
const DEFAULT_ELEMENTS = 'Fe';

/** Elements other than O and H. */
export const elementsOf = (text: string): readonly string[] =>
  text.split(/[\s,;-]+/).filter((symbol) => symbol !== '' && symbol !== 'O' && symbol !== 'H');

/** Amounts by element; undefined unless there is one number for each element. */
const byElement = (elements: string, values: readonly number[]): Record<string, number> | undefined => {
  const symbols = elementsOf(elements);
  if (values.length === 0 || values.length !== symbols.length) return undefined;
  return Object.fromEntries(symbols.map((symbol, index) => [symbol, values[index] ?? 1]));
};

/** Positive numbers separated by commas or colons; empty if any of them is invalid. */
export function readNumbers(text: string): readonly number[] {
  const values = text
    .split(/[,;:，：；\s]+/)
    .filter((part) => part !== '')
    .map(Number);
  return values.every((value) => value > 0 && Number.isFinite(value)) ? values : [];
}

const within = (text: string | null, low: number, high: number, otherwise: number): number => {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return value >= low && value <= high ? value : otherwise;
};

/** One ion per line or semicolon: `Fe(OH)4[-] -842`. Null if a line is not an ion and a number. */
export function readIons(text: string): readonly OwnIon[] | null {
  const lines = text
    .split(/[\n;；]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const ions = lines.flatMap((line): OwnIon[] => {
    const found = /^(\S+(?:\(aq\)|\[\d*[+-]\]))\s*[:,\s]\s*(\S+)$/.exec(line.replace('−', '-'));
    const gibbs = Number(found?.[2]);
    return found?.[1] === undefined || !Number.isFinite(gibbs) ? [] : [{ formula: found[1], gibbs }];
  });
  return ions.length === lines.length && ions.length <= MAX_OWN_IONS ? ions : null;
}

export const ionsText = (ions: readonly OwnIon[], separator = '\n'): string =>
  ions.map(({ formula, gibbs }) => `${formula} ${gibbs}`).join(separator);

/** Invalid values fall back to their defaults. */
export function readPourbaix(parameters: URLSearchParams): PourbaixInput {
  const { min, max, default: usual } = POURBAIX_POTENTIALS;
  const elements = (parameters.get('el') ?? '').split(/[\s,]+/).filter((text) => text !== '');
  const compound = parameters.get('compound') ?? '';
  const low = within(parameters.get('from'), min, max, usual.min);
  const high = within(parameters.get('to'), min, max, usual.max);
  const isRange = high > low;
  return {
    elements: elements.length > 0 || compound !== '' ? elements.join(' ') : DEFAULT_ELEMENTS,
    ratio: readNumbers(parameters.get('r') ?? ''),
    concentrations: readNumbers(parameters.get('c') ?? ''),
    energies: parameters.get('e') === 'measured' ? 'measured' : 'computed',
    min: isRange ? low : usual.min,
    max: isRange ? high : usual.max,
    ph: within(parameters.get('pH'), POURBAIX_PH.min, POURBAIX_PH.max, DEFAULT_READING.ph),
    volts: within(parameters.get('U'), min, max, DEFAULT_READING.volts),
    ions: readIons(parameters.get('ion') ?? '') ?? [],
    compound,
    compoundEnergy: readEnergyText(parameters.get('E') ?? ''),
    scale: readScale(parameters),
  };
}

export function writePourbaix(input: PourbaixInput): URLSearchParams {
  const { default: usual } = POURBAIX_POTENTIALS;
  const parameters = new URLSearchParams();
  const elements = input.elements.trim().split(/[\s,;-]+/);
  if (input.elements.trim() !== '') parameters.set('el', elements.join(','));
  if (input.ratio.length > 0) parameters.set('r', input.ratio.join(','));
  if (input.concentrations.some((value) => value !== DEFAULT_CONCENTRATION))
    parameters.set('c', input.concentrations.join(','));
  if (input.energies === 'measured') parameters.set('e', 'measured');
  if (input.min !== usual.min) parameters.set('from', String(input.min));
  if (input.max !== usual.max) parameters.set('to', String(input.max));
  if (input.ph !== DEFAULT_READING.ph) parameters.set('pH', String(input.ph));
  if (input.volts !== DEFAULT_READING.volts) parameters.set('U', String(input.volts));
  if (input.ions.length > 0) parameters.set('ion', ionsText(input.ions, ';'));
  if (input.compound !== '') parameters.set('compound', input.compound);
  if (input.compoundEnergy !== null) parameters.set('E', energyText(input.compoundEnergy));
  if (input.scale !== null) parameters.set(SCALE_PARAMETER, input.scale);
  return parameters;
}

export function pourbaixRequest(input: PourbaixInput): RequestOf<typeof drawPourbaix> {
  const ratio = byElement(input.elements, input.ratio);
  const concentrations = byElement(input.elements, input.concentrations);
  const id = /^#(\d+)$/.exec(input.compound)?.[1];
  return {
    call: drawPourbaix,
    body: {
      elements: input.elements,
      energies: input.energies,
      potential_min: input.min,
      potential_max: input.max,
      ...(ratio ? { ratio } : {}),
      ...(concentrations ? { concentrations } : {}),
      ...(input.ions.length > 0 ? { ions: [...input.ions] } : {}),
      ...(id === undefined ? {} : { struct_id: Number(id) }),
      ...(id === undefined && input.compound !== '' ? { compound: input.compound } : {}),
      ...(id === undefined && input.compoundEnergy !== null
        ? { compound_energy: input.compoundEnergy.value }
        : {}),
      ...(input.scale === null ? {} : { functional: input.scale }),
    },
  };
}
