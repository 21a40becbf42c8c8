/** State of the refinement on the page: phases, settings, the running request and its answer. */
import { xrdCancel } from '@unitcell/contract/calls';
import type { LineWidths, RefineResult } from '@unitcell/contract/xrd';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { newMatchId } from '../api/use-matching.ts';
import { showRefinement } from '../show.ts';
import type { Hit, Round } from '../view-model.ts';
import {
  type ChosenPhase,
  DEFAULT_REFINE_SETTINGS,
  phaseOfHit,
  proposedPhases,
  type RefineInput,
  refineRequest,
  type RefineSettings,
  withPhase,
} from './refine-view-model.ts';

type Sent = ReturnType<typeof refineRequest>;

interface Running {
  readonly id: string;
  readonly stop: AbortController;
  readonly sent: Sent;
}

export interface Refinement {
  readonly result: RefineResult;
  readonly sent: Sent;
}

export type Refiner = ReturnType<typeof useRefiner>;

export function useRefiner() {
  const sentence = useFailure();
  const [phases, setPhases] = useState<readonly ChosenPhase[]>([]);
  const [settings, setSettings] = useState<RefineSettings>(DEFAULT_REFINE_SETTINGS);
  const [ownInstrument, setOwnInstrument] = useState<LineWidths | null>(storedInstrument);
  const [done, setDone] = useState<Refinement | null>(null);
  const running = useRef<Running | null>(null);
  const { mutate, reset, isPending, variables, error } = useMutation<RefineResult, Error, Running>({
    mutationFn: async ({ sent, id, stop }) =>
      expectOutcome(
        await callApi(sent.call, { ...sent.body, match_id: id }, { signal: stop.signal, isFollowed: true }),
      ),
    onSuccess: (result, own) => {
      if (running.current !== own) return;
      running.current = null;
      setDone({ result, sent: own.sent });
      requestAnimationFrame(showRefinement);
    },
  });

  const cancel = useCallback((): void => {
    const current = running.current;
    running.current = null;
    reset();
    if (!current) return;
    current.stop.abort();
    // The closed connection also cancels it, unless a proxy keeps it open.
    callApi(xrdCancel, { match_id: current.id }).catch(() => undefined);
  }, [reset]);

  return {
    phases,
    settings,
    ownInstrument,
    done,
    runningId: isPending ? variables.id : null,
    problem: error ? sentence(error) : '',
    add: (phase: ChosenPhase): void => setPhases((before) => withPhase(before, phase)),
    remove: (key: string): void => setPhases((before) => before.filter((phase) => phase.key !== key)),
    /** Adds or removes a hit. */
    toggle: (hit: Hit): void =>
      setPhases((before) => {
        const phase = phaseOfHit(hit);
        const without = before.filter(({ key }) => key !== phase.key);
        return without.length < before.length ? without : withPhase(before, phase);
      }),
    propose: (round: Round, shown: Hit | null): void => setPhases(proposedPhases(round, shown)),
    change: (changes: Partial<RefineSettings>): void => setSettings((before) => ({ ...before, ...changes })),
    /** Later refinements start from the line widths of this one, whose sample is a standard. */
    keepInstrument: (widths: LineWidths): void => {
      writeStored(INSTRUMENT_KEY, JSON.stringify(widths));
      setOwnInstrument(widths);
      setSettings((before) => ({ ...before, instrument: 'own' }));
    },
    refine: (input: Pick<RefineInput, 'data' | 'record' | 'radiation'>): void => {
      cancel();
      const sent = refineRequest({ ...input, phases, settings, ownInstrument });
      running.current = { id: newMatchId(), stop: new AbortController(), sent };
      mutate(running.current);
    },
    cancel,
    /** Called for a new pattern: the chosen phases are valid only for the previous one. */
    clear: useCallback((): void => {
      cancel();
      setPhases([]);
      setDone(null);
      setSettings((before) => ({ ...before, from: null, to: null, excluded: '' }));
    }, [cancel]),
  };
}

const INSTRUMENT_KEY = 'xrd-instrument';

function storedInstrument(): LineWidths | null {
  try {
    const { u, v, w, x, y, axial } = JSON.parse(readStored(INSTRUMENT_KEY) ?? 'null') as LineWidths;
    return [u, v, w, x, y].every(Number.isFinite) ? { u, v, w, x, y, ...(axial ? { axial } : {}) } : null;
  } catch {
    return null;
  }
}
