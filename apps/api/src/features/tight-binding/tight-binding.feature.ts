/** The tight-binding playground: plane nets and their bands. A worker thread solves large nets. */
import { getBandData, getLatticeStructure } from '@unitcell/contract/tight-binding';
import {
  type BandStructureOptions,
  findNet,
  listNets,
  loadAllNets,
  MAX_HOPPING_RATIO,
  MAX_K_POINTS,
  MAX_ONSITE,
  type Net,
  toLatticeStructureWire,
} from '@unitcell/tight-binding';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Services } from '../../domain/services.ts';
import { done, RawJson, serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type * as tightBindingThread from './tight-binding.thread.ts';
import { calculateBands } from './tight-binding.thread.ts';

// ── Validation of the input of get_band_data: every refusal states the found and the allowed values ──

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
  // `[0]` is the default of the original site and is accepted for every lattice.
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

/**
 * Largest work, in sites³ · k-points, in the event loop: 200 points of a 12-site net are 3.5e5 and take 3 ms,
 * so this is about 20 ms.
 */
const EVENT_LOOP_WORK = 2e6;
/** Size of cached answers. The answer for a 60-site net at 200 points takes about 250 kB. */
const CACHED_CHARACTERS = 20e6;

/** @throws AppError tight-binding.unknown-grid */
async function netOf(id: string, t: Translate): Promise<Net> {
  const named = findNet(id);
  if (named) return named;
  const text = id.trim().toLowerCase();
  const other = (await loadAllNets()).find((net) => net.id.toLowerCase() === text);
  if (other) return other;
  const similar = listNets()
    .map((net) => net.id)
    .filter((own) => text.length > 1 && own.startsWith(text.slice(0, 2)))
    .slice(0, 5);
  throw new AppError('tight-binding.unknown-grid', {
    id: text.slice(0, 40) || '""',
    hint: similar.length > 0 ? t('tight-binding.similar', { ids: similar.join(', ') }) : '',
  });
}

export function tightBindingFeature(app: FastifyInstance, { threads }: Services): void {
  const handle = threads.open<typeof tightBindingThread>(
    new URL('./tight-binding.thread.ts', import.meta.url),
  );
  const cache = new LRUCache<string, string>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });

  serveCall(app, getLatticeStructure, async ({ body, t }) => {
    const net = await netOf(body.grid_id, t);
    const { script, wyckoeffs } = toLatticeStructureWire(net);
    return { ...done, grid_id: net.id, script, wyckoeffs: [...wyckoeffs] };
  });

  // The answer is written as JSON where it is calculated. A test compares it with the contract.
  serveCall(app, getBandData, async ({ body, t, caller }) => {
    const net = await netOf(body.grid_id, t);
    const options = readBandRequest(net, body);
    const key = JSON.stringify({ ...options, net: net.id });
    const known = cache.get(key);
    if (known !== undefined) return new RawJson(known);
    const work = net.positions.length ** 3 * (options.kPointCount ?? 0);
    const answer =
      work > EVENT_LOOP_WORK ? await handle.run('calculateBands', options, caller) : calculateBands(options);
    cache.set(key, answer);
    return new RawJson(answer);
  });
}
