/** Matches one after another: of the whole pattern, then of what phases found before leave of it. */
import {
  type MatchResult,
  type RestResult,
  type XrdData,
  xrdCancel,
  xrdExplain,
  xrdMatch,
} from '@unitcell/contract';
import { useCallback, useRef, useState } from 'react';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { type MatchSettings, maxStrainOf } from '../settings.ts';
import { type Phase, type Round, roundOf } from '../view-model.ts';

interface Running {
  readonly id: string;
  readonly stop: AbortController;
}

/** Not randomUUID, which plain http on another host does not have. */
const newMatchId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function ask(
  data: XrdData,
  settings: MatchSettings,
  phases: readonly Phase[],
  { id, stop }: Running,
): Promise<MatchResult | RestResult> {
  const request = {
    xrd_data: data,
    elements: settings.elements,
    radiation: settings.radiation,
    match_way: settings.way,
    match_id: id,
    top: settings.rows,
    max_strain: maxStrainOf(settings),
  };
  const { signal } = stop;
  if (phases.length === 0) return expectOutcome(await callApi(xrdMatch, request, { signal })) as MatchResult;
  const taken = phases.map(({ hit }) => ({ struct_id: hit.structId, strain: hit.strain }));
  return expectOutcome(await callApi(xrdExplain, { ...request, phases: taken }, { signal })) as RestResult;
}

export interface Matching {
  /** Oldest first; empty before the first match. */
  readonly rounds: readonly Round[];
  /** Id of the match under way. */
  readonly runningId: string | null;
  /** Matches the pattern; with phases, what they leave of it. */
  readonly match: (
    data: XrdData,
    settings: MatchSettings,
    phases?: readonly Phase[],
  ) => Promise<Round | null>;
  readonly cancel: () => void;
  /** Back to the round before. */
  readonly back: () => void;
  /** Forgets everything: the pattern is another one. */
  readonly clear: () => void;
}

/** `match` resolves to null when it was cancelled, and throws the ApiError of a refusal. */
export function useMatching(): Matching {
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const [runningId, setRunningId] = useState<string | null>(null);
  const running = useRef<Running | null>(null);

  const cancel = useCallback((): void => {
    const current = running.current;
    if (!current) return;
    running.current = null;
    setRunningId(null);
    current.stop.abort();
    // The closed connection says it too, unless a proxy keeps it open.
    callApi(xrdCancel, { match_id: current.id }).catch(() => undefined);
  }, []);

  const match: Matching['match'] = useCallback(
    async (data, settings, phases = []) => {
      cancel();
      const current: Running = { id: newMatchId(), stop: new AbortController() };
      running.current = current;
      setRunningId(current.id);
      try {
        const round = roundOf(await ask(data, settings, phases, current), phases);
        if (running.current !== current) return null;
        setRounds((before) => [...before.slice(0, phases.length), round]);
        return round;
      } catch (error) {
        if (current.stop.signal.aborted) return null;
        throw error;
      } finally {
        if (running.current === current) {
          running.current = null;
          setRunningId(null);
        }
      }
    },
    [cancel],
  );
  const back = useCallback(() => setRounds((before) => before.slice(0, -1)), []);
  const clear = useCallback(() => {
    cancel();
    setRounds([]);
  }, [cancel]);
  return { rounds, runningId, match, cancel, back, clear };
}
