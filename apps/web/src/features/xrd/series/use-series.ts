/** Refines several files one after the other. Each scan starts from the cells and line widths of the one before. */
import { xrdCancel } from '@unitcell/contract/calls';
import type { RefineResult } from '@unitcell/contract/xrd';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { uploadPattern } from '../api/patterns.ts';
import { newMatchId } from '../api/use-matching.ts';
import { refineRequest } from '../refine/refine-view-model.ts';
import type { Refiner } from '../refine/use-refiner.ts';
import { patternOf } from '../use-measurement.ts';
import { positionsOf, type SeriesScan, strainOf } from './series.ts';

interface Running {
  readonly stop: AbortController;
  matchId: string;
}

/** @param tooLarge sentence about a file over the limit */
export function useSeries(
  { phases, settings, ownInstrument }: Refiner,
  radiation: string,
  tooLarge: (name: string) => string,
) {
  const sentence = useFailure();
  const [scans, setScans] = useState<readonly SeriesScan[]>([]);
  const [left, setLeft] = useState(0);
  const running = useRef<Running | null>(null);

  const cancel = useCallback((): void => {
    const current = running.current;
    running.current = null;
    setLeft(0);
    current?.stop.abort();
    if (current) callApi(xrdCancel, { match_id: current.matchId }).catch(() => undefined);
  }, []);
  useEffect(() => cancel, [cancel]);

  async function refined(file: File, before: RefineResult | null, own: Running): Promise<RefineResult> {
    if (file.size > MAX_PATTERN_BYTES) throw new Error(tooLarge(file.name));
    const read = await uploadPattern(file);
    const request = refineRequest({
      data: patternOf(read),
      record: read.measurement ?? null,
      radiation,
      phases: phases.map((phase, index) => {
        const found = before?.phases[index];
        return found && phase.structId !== null ? { ...phase, strain: strainOf(found) } : phase;
      }),
      settings,
      ownInstrument,
    });
    own.matchId = newMatchId();
    const body = {
      ...request.body,
      ...(before && settings.instrument === 'estimate' ? { instrument: before.instrument } : {}),
      match_id: own.matchId,
    };
    return expectOutcome(await callApi(request.call, body, { signal: own.stop.signal, isFollowed: true }));
  }

  return {
    scans,
    /** Number of files that are still to be refined; 0 when nothing runs. */
    left,
    cancel,
    async run(files: readonly File[]): Promise<void> {
      cancel();
      const own: Running = { stop: new AbortController(), matchId: '' };
      running.current = own;
      setScans([]);
      const positions = positionsOf(files.map(({ name }) => name));
      const ordered = files
        .map((file, index) => ({ file, position: positions[index] ?? index }))
        .toSorted((a, b) => a.position - b.position);
      let before: RefineResult | null = null;
      for (const [index, { file, position }] of ordered.entries()) {
        setLeft(ordered.length - index);
        let scan: SeriesScan;
        try {
          const result: RefineResult = await refined(file, before, own);
          before = result.verdict === 'poor' ? before : result;
          scan = { name: file.name, position, result, problem: '' };
        } catch (error) {
          scan = { name: file.name, position, result: null, problem: sentence(error) };
        }
        if (running.current !== own) return;
        setScans((done) => [...done, scan]);
      }
      running.current = null;
      setLeft(0);
    },
  };
}
