/** State of the refinement on the page: phases, settings, the running request and its answer. */
import type { IdentifyResult, LineWidths, RefineResult } from '@unitcell/contract/xrd';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { answerTo } from '../../../lib/api-client.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { type Hit, type Round, type Running, showRefinement, useRunning } from '../matching.ts';
import type { Project } from './project-file.ts';
import {
  type ChosenPhase,
  DEFAULT_REFINE_SETTINGS,
  identifiedPhases,
  identifyRequest,
  phaseOfHit,
  proposedPhases,
  type RefineInput,
  refineRequest,
  type RefineSettings,
  withPhase,
} from './refine-view-model.ts';

type SentRefinement = ReturnType<typeof refineRequest>;
type SentIdentification = ReturnType<typeof identifyRequest>;

interface Asked<Sent> {
  readonly sent: Sent;
  readonly running: Running;
}

export interface Refinement {
  readonly result: RefineResult;
  readonly sent: SentRefinement | SentIdentification;
}

export type Refiner = ReturnType<typeof useRefiner>;

export function useRefiner() {
  const sentence = useFailure();
  const [phases, setPhases] = useState<readonly ChosenPhase[]>([]);
  const [settings, setSettings] = useState<RefineSettings>(DEFAULT_REFINE_SETTINGS);
  const [ownInstrument, setOwnInstrument] = useState<LineWidths | null>(storedInstrument);
  const [done, setDone] = useState<Refinement | null>(null);
  const [identified, setIdentified] = useState<IdentifyResult | null>(null);
  const { begin, end, cancel: cancelRunning } = useRunning();
  const finish = (
    own: Running,
    refinement: Refinement | null,
    identification: IdentifyResult | null,
  ): void => {
    if (!end(own)) return;
    setDone(refinement);
    setIdentified(identification);
    if (identification) setPhases(identifiedPhases(identification));
    requestAnimationFrame(showRefinement);
  };
  const refinement = useMutation<RefineResult, Error, Asked<SentRefinement>>({
    mutationFn: ({ sent, running: { id, stop } }) =>
      answerTo(sent.call, { ...sent.body, match_id: id }, { signal: stop.signal, isFollowed: true }),
    onSuccess: (result, { sent, running }) => finish(running, { result, sent }, null),
  });
  const identification = useMutation<IdentifyResult, Error, Asked<SentIdentification>>({
    mutationFn: ({ sent, running: { id, stop } }) =>
      answerTo(sent.call, { ...sent.body, match_id: id }, { signal: stop.signal, isFollowed: true }),
    onSuccess: (result, { sent, running }) =>
      finish(running, result.refinement && { result: result.refinement, sent }, result),
  });
  const cancel = (): void => {
    refinement.reset();
    identification.reset();
    cancelRunning();
  };

  return {
    phases,
    settings,
    ownInstrument,
    done,
    identified,
    runningId: refinement.isPending ? refinement.variables.running.id : null,
    problem: refinement.error ? sentence(refinement.error) : '',
    identifyingId: identification.isPending ? identification.variables.running.id : null,
    identifyProblem: identification.error ? sentence(identification.error) : '',
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
    /** Stores the line widths of this refinement, whose sample is a standard; later refinements start from them. */
    keepInstrument: (widths: LineWidths): void => {
      writeStored(INSTRUMENT_KEY, JSON.stringify(widths));
      setOwnInstrument(widths);
      setSettings((before) => ({ ...before, instrument: 'own' }));
    },
    refine: (input: Pick<RefineInput, 'data' | 'sigmas' | 'record' | 'radiation'>): void => {
      cancel();
      const sent = refineRequest({ ...input, phases, settings, ownInstrument });
      refinement.mutate({ sent, running: begin() });
    },
    identify: (
      input: Pick<RefineInput, 'data' | 'sigmas' | 'record' | 'radiation'> & { elements: string },
    ): void => {
      cancel();
      const sent = identifyRequest({ ...input, settings, ownInstrument });
      identification.mutate({ sent, running: begin() });
    },
    cancel,
    /** Restores phases, settings and result of a saved refinement. Call `clear` first. */
    restore: ({ data, sigmas, record, radiation, ...saved }: Project): void => {
      setPhases(saved.phases);
      setSettings(saved.settings);
      if (saved.ownInstrument) setOwnInstrument(saved.ownInstrument);
      const sent = refineRequest({ ...saved, data, sigmas, record, radiation });
      setDone(saved.result && { result: saved.result, sent });
      requestAnimationFrame(showRefinement);
    },
    /** Called for a new pattern: the chosen phases are valid only for the previous one. */
    clear: (): void => {
      cancel();
      setPhases([]);
      setDone(null);
      setIdentified(null);
      setSettings((before) => ({ ...before, from: null, to: null, excluded: '' }));
    },
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
