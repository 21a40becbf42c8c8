/** The tight-binding playground: plane nets and their bands; large nets are solved in a worker thread. */
import { getBandData, getLatticeStructure, type LatticeStructure } from '@unitcell/contract/tight-binding';
import {
  type BandStructureOptions,
  findNet,
  listNets,
  loadAllNets,
  type Net,
  toLatticeStructureWire,
} from '@unitcell/tight-binding';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import { type BandRequest, readBandRequest } from './read-band-request.ts';
import type * as tightBindingThread from './tight-binding.thread.ts';
import { calculateBands } from './tight-binding.thread.ts';

/**
 * Work, in sites³ · k-points, that the event loop does itself: 200 points of a 12-site net are 3.5e5 and take 3 ms, so
 * this is about 20 ms.
 */
const EVENT_LOOP_WORK = 2e6;
/** The answer of a 60-site net at 200 points is about 250 kB; ids and numbers make the key. */
const CACHED_CHARACTERS = 20e6;

type TightBinding = ReturnType<typeof tightBinding>;

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

function tightBinding(threads: Door<typeof tightBindingThread>) {
  const cache = new LRUCache<string, string>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });

  async function solve(options: BandStructureOptions, asker: Asker): Promise<string> {
    const work = options.net.positions.length ** 3 * (options.kPointCount ?? 0);
    return work > EVENT_LOOP_WORK ? threads.run('calculateBands', options, asker) : calculateBands(options);
  }

  return {
    /** @throws AppError tight-binding.unknown-grid */
    async structure(gridId: string, t: Translate): Promise<LatticeStructure> {
      const net = await netOf(gridId, t);
      const { script, wyckoeffs } = toLatticeStructureWire(net);
      return { error: 'false', message: '', grid_id: net.id, script, wyckoeffs: [...wyckoeffs] };
    },

    /**
     * The answer as JSON text.
     * @throws AppError tight-binding.*
     */
    async bands(request: BandRequest, t: Translate, asker: Asker): Promise<string> {
      const net = await netOf(request.grid_id, t);
      const options = readBandRequest(net, request);
      const key = JSON.stringify({ ...options, net: net.id });
      const known = cache.get(key);
      if (known !== undefined) return known;
      const answer = await solve(options, asker);
      cache.set(key, answer);
      return answer;
    },
  };
}

function tightBindingRoutes(app: FastifyInstance, nets: TightBinding): void {
  serveCall(app, getLatticeStructure, ({ body, t }) => nets.structure(body.grid_id, t));
  // Written as JSON where it was calculated. A test holds it against the contract.
  serveCall(app, getBandData, async ({ body, t, asker }) => new RawJson(await nets.bands(body, t, asker)));
}

export function tightBindingFeature(app: FastifyInstance, { threads }: Services): void {
  tightBindingRoutes(
    app,
    tightBinding(
      threads.open<typeof tightBindingThread>(new URL('./tight-binding.thread.ts', import.meta.url)),
    ),
  );
}
