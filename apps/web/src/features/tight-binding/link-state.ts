/**
 * The page state as an address, `?grid=kgm&t1=-1&t2=-0.1&onsite=0,0.5&rule=distance&flux=90&fill=1.5&at=2.40`.
 * Addresses are untrusted: invalid values fall back to their defaults and are listed in `faults`.
 */
import { roundTo } from '@unitcell/numerics';
import type { Net, SecondNeighbourRule } from '@unitcell/tight-binding';
import type { BandPoint } from './solver/messages.ts';
import { K_POINTS } from './solver/solve.ts';

export const DEFAULT_GRID = 'kgm';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}
export const T1_RANGE: Range = { min: -1, max: 1, step: 2 };
export const T2_RANGE: Range = { min: -1, max: 1, step: 0.1 };
export const ONSITE_RANGE: Range = { min: -0.5, max: 0.5, step: 0.5 };
export const FLUX_RANGE: Range = { min: -180, max: 180, step: 15 };
export const DEFAULT_RATIO = -1;
export const FILLING_STEP = 0.05;

export interface Controls {
  readonly t1: number;
  readonly t2: number;
  /** One per kind of site. */
  readonly onsite: readonly number[];
  readonly rule: SecondNeighbourRule;
  readonly fluxDeg: number;
  /** Occupied states per cell. */
  readonly filling: number;
  readonly selected: BandPoint | null;
}

export type Field = 'grid' | 't1' | 't2' | 'onsite' | 'rule' | 'flux' | 'fill' | 'at';

/** Initial values of a lattice: both ratios −1, zero on-site energies, half filling. */
export const defaultControls = (net: Net, rule: SecondNeighbourRule = 'graph'): Controls => ({
  t1: DEFAULT_RATIO,
  t2: DEFAULT_RATIO,
  onsite: net.orbits.map(() => 0),
  rule,
  fluxDeg: 0,
  filling: net.positions.length / 2,
  selected: null,
});

/** Maximum length of a parsed address part. */
const MAX_TEXT = 400;
const NUMBER = /^[+-]?\d{1,6}(\.\d{1,12})?$/;

/** Rounds to the nearest slider step; undefined if invalid or out of range. */
function readStep(text: string, { min, max, step }: Range): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!(value >= min && value <= max)) return undefined;
  return roundTo(min + Math.round((value - min) / step) * step, 6);
}

const readRule = (text: string): SecondNeighbourRule | undefined =>
  text === 'graph' || text === 'distance' ? text : undefined;

function readOnsite(text: string, net: Net): number[] | undefined {
  const parts = text.split(',').map((part) => readStep(part, ONSITE_RANGE));
  const numbers = parts.filter((part) => part !== undefined);
  return numbers.length === parts.length && parts.length === net.orbits.length ? numbers : undefined;
}

function readPoint(text: string, net: Net): BandPoint | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})$/.exec(text);
  const [band, point] = [Number(match?.[1]) - 1, Number(match?.[2])];
  return match && band >= 0 && band < net.positions.length && point < K_POINTS ? { band, point } : undefined;
}

/** Lattice name from the address. */
export const gridOf = (address: URLSearchParams): string =>
  (address.get('grid') ?? DEFAULT_GRID).trim().slice(0, 100) || DEFAULT_GRID;

export function readControls(
  address: URLSearchParams,
  net: Net,
): { readonly controls: Controls; readonly faults: readonly Field[] } {
  const faults: Field[] = [];
  const own = defaultControls(net);
  const read = <Value>(field: Field, reader: (text: string) => Value | undefined, fallback: Value): Value => {
    const text = address.get(field);
    if (text === null) return fallback;
    const value = text.length > MAX_TEXT ? undefined : reader(text.trim());
    if (value === undefined) faults.push(field);
    return value ?? fallback;
  };
  const controls: Controls = {
    t1: read('t1', (text) => readStep(text, T1_RANGE), own.t1),
    t2: read('t2', (text) => readStep(text, T2_RANGE), own.t2),
    onsite: read('onsite', (text) => readOnsite(text, net), own.onsite),
    rule: read('rule', readRule, own.rule),
    fluxDeg: read('flux', (text) => readStep(text, FLUX_RANGE), own.fluxDeg),
    filling: read(
      'fill',
      (text) => readStep(text, { min: 0, max: net.positions.length, step: FILLING_STEP }),
      own.filling,
    ),
    selected: read<BandPoint | null>('at', (text) => readPoint(text, net), null),
  };
  return { controls, faults };
}

/** The address of a state, without default values. */
export function writeAddress(net: Net, controls: Controls): URLSearchParams {
  const own = defaultControls(net);
  const address = new URLSearchParams({ grid: net.id });
  const write = (field: Field, text: string, fallback: string): void => {
    if (text !== fallback) address.set(field, text);
  };
  write('t1', String(controls.t1), String(own.t1));
  write('t2', String(controls.t2), String(own.t2));
  write('onsite', controls.onsite.join(','), own.onsite.join(','));
  write('rule', controls.rule, own.rule);
  write('flux', String(controls.fluxDeg), '0');
  write('fill', String(controls.filling), String(own.filling));
  const { selected } = controls;
  if (selected) address.set('at', `${selected.band + 1}.${selected.point}`);
  return address;
}
