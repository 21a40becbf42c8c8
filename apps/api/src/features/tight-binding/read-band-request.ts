/** What get_band_data was asked for, checked: every refusal is a sentence with the value found and the values possible. */
import type { getBandData } from '@unitcell/contract/tight-binding';
import {
  type BandStructureOptions,
  MAX_HOPPING_RATIO,
  MAX_K_POINTS,
  MAX_ONSITE,
  type Net,
} from '@unitcell/tight-binding';
import type { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';

export type BandRequest = z.output<(typeof getBandData)['request']>;
type Typed = number | string | null;

const shown = (value: Typed): string => (value === null ? 'NaN' : String(value).slice(0, 40) || '""');

function readNumber(name: string, value: Typed): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  if (!Number.isFinite(number))
    throw new AppError('tight-binding.not-a-number', { name, value: shown(value) });
  return number;
}

function readWithin(name: string, value: Typed, bound: number): number {
  const number = readNumber(name, value);
  if (Math.abs(number) > bound)
    throw new AppError('tight-binding.out-of-range', { name, value: number, low: -bound, high: bound });
  return number;
}

function readOnsites(net: Net, { onsites_symbol: typed, new_grid: isNewGrid }: BandRequest): number[] {
  const kinds = net.orbits.length;
  if (isNewGrid) return net.orbits.map(() => 0);
  const energies = typed.map((value, index) =>
    readWithin(`onsites_symbol[${net.orbits[index]?.symbol ?? index}]`, value, MAX_ONSITE),
  );
  // The default of the original, `[0]`, whatever the lattice.
  if (energies.length === 1 && energies[0] === 0) return net.orbits.map(() => 0);
  if (energies.length !== kinds)
    throw new AppError('tight-binding.onsite-count', {
      id: net.id,
      expected: kinds,
      symbols: net.orbits.map(({ symbol }) => symbol).join(', '),
      count: energies.length,
    });
  return energies;
}

/** @throws AppError tight-binding.* */
export function readBandRequest(net: Net, request: BandRequest): BandStructureOptions {
  const kPointCount = readNumber('k_points', request.k_points);
  if (!Number.isInteger(kPointCount) || kPointCount < 2 || kPointCount > MAX_K_POINTS)
    throw new AppError('tight-binding.k-points', { count: kPointCount, limit: MAX_K_POINTS });
  return {
    net,
    t1: readWithin('t1_ratio', request.t1_ratio, MAX_HOPPING_RATIO),
    t2: readWithin('t2_ratio', request.t2_ratio, MAX_HOPPING_RATIO),
    onsite: readOnsites(net, request),
    t2Rule: request.t2_rule,
    haldaneFluxRad: readWithin('haldane_flux', request.haldane_flux, 2 * Math.PI),
    kPointCount,
  };
}
