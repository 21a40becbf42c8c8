/** Finds the phases of a measured pattern and refines them. It shares queue and threads with refinements. */
import type { IdentifiedPhase, identifyRequest, IdentifyResult } from '@unitcell/contract/xrd';
import {
  type IdentifiedPhase as Found,
  type IdentificationSteps,
  identifyPhases,
  parseElementFilter,
  type PhaseCandidate,
  type RefinedPhase,
} from '@unitcell/diffraction';
import { roundTo } from '@unitcell/numerics';
import type { z } from 'zod';
import { done } from '../../../http/serve-call.ts';
import type { ThreadHandle } from '../../../infra/thread-pool.ts';
import type { MatchQueue } from '../match/match-queue.ts';
import { type RequestOrigin, withSignal } from '../match/match.service.ts';
import type { PatternIndexRefresher } from '../match/pattern-index.ts';
import { type ReferenceMaterial, searchedIndex, type XrdRepository } from '../patterns.ts';
import type * as xrdThread from '../xrd.thread.ts';
import { doubtOf, toRefineResult, verdictOfPhases } from './refine.mapper.ts';
import { newRefineControl, stopRefining } from './refine-pattern.ts';
import {
  excludedOf,
  optionsOf,
  patternOf,
  radiationOf,
  type RefineBody,
  sampleOf,
} from './refine.service.ts';

type IdentifyBody = z.output<typeof identifyRequest>;

/**
 * Time for all steps before the refinement. Finding four phases in the seed data takes seconds on an idle
 * processor.
 */
const SEARCH_SECONDS = 60;
const REFINE_SECONDS = 60;
/**
 * Broad humps added to the background if nothing is found without them: polynomials do not follow the scattering of a
 * glass. They are not the default, because they can also take the place of lines.
 */
const GLASS_HUMPS = 2;

interface Options {
  readonly threads: ThreadHandle<typeof xrdThread>;
  readonly repository: XrdRepository;
  readonly refresher: PatternIndexRefresher;
  readonly queue: MatchQueue;
}

export function identifications({ threads, repository, refresher, queue }: Options) {
  return {
    /** @throws AppError for errors that a user can correct; xrd.cancelled */
    async identify(body: IdentifyBody, { accountId, t, signal }: RequestOrigin): Promise<IdentifyResult> {
      const asked: RefineBody = { ...body, phases: [], method: 'rietveld', refined: undefined };
      const pattern = patternOf(asked);
      const { radiation, probe } = radiationOf(asked);
      const filter = parseElementFilter(body.elements);
      /**
       * Whether the user named exactly the elements of the material. A phase with only some of the named
       * elements could in truth contain others of them.
       */
      const areElementsNamed = ({ conventional: { species } }: ReferenceMaterial): boolean =>
        filter?.others === false &&
        new Set(
          species.flatMap((site) => (typeof site === 'string' ? site : site.map(([element]) => element))),
        ).size === filter.elements.length;
      let request = {
        pattern,
        radiation,
        probe,
        excluded: excludedOf(asked),
        ...sampleOf(asked),
        monochromatorTwoThetaDeg: body.monochromator,
        polarisationRatio: body.polarisation,
        goniometerRadiusMm: body.goniometer_radius,
        options: optionsOf(asked),
      };
      const weights = radiation.reduce((sum, { weight }) => sum + weight, 0);
      const wavelength = radiation.reduce((sum, line) => sum + line.weight * line.wavelength, 0) / weights;

      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const begun = performance.now();
        const control = newRefineControl();
        match.signal.addEventListener('abort', () => stopRefining(control), { once: true });
        let step = 0;
        match.status = () => ({ state: 'refining', progress: Math.min(0.99, step / (body.max_phases + 3)) });

        const { index, candidates, count } = await searchedIndex(
          { threads, refresher, repository },
          filter,
          probe,
          true,
        );
        const materials = new Map<number, ReferenceMaterial>();
        let crystalliteSizeNm: number | undefined;
        // The first candidates depend only on the pattern, so the attempt with humps begins with the same
        // ones.
        let first: PhaseCandidate[] | undefined;
        const { twoThetaDeg, intensities } = pattern;
        const shared = () => ({
          request,
          control,
          seconds: Math.max(0, SEARCH_SECONDS - (performance.now() - begun) / 1000),
        });
        const steps: IdentificationSteps = {
          async propose(rest, known) {
            step += 1;
            if (!rest && first) return first;
            const proposing = threads.run('proposeCandidates', {
              index,
              twoThetaDeg,
              intensities,
              wavelength,
              probe,
              isSlitVariable: body.variable_slit,
              excluded: request.excluded,
              rest,
              known,
              candidates,
              crystalliteSizeNm,
            });
            const proposed = await withSignal(proposing, twoThetaDeg, wavelength);
            ({ crystalliteSizeNm } = proposed);
            const proposedMaterials = await repository.references(proposed.proposals.map(({ id }) => id));
            for (const material of proposedMaterials) materials.set(material.structId, material);
            const prepared = await threads.run(
              'prepareCandidates',
              proposed.proposals.flatMap(({ id, strain }) => {
                const cell = materials.get(id)?.conventional;
                return cell ? [{ id, cell, strain }] : [];
              }),
            );
            first ??= prepared;
            return prepared;
          },
          weigh: (mixture, proposed) =>
            threads.run('weighPhases', { ...shared(), mixture, candidates: proposed }),
          review: (mixture, phases, proposed) =>
            threads.run('reviewPhases', { ...shared(), mixture, found: phases, candidates: proposed }),
        };
        let found = await identifyPhases(steps, body.max_phases);
        const hasHumps = found.phases.length === 0 && body.humps === 0;
        if (hasHumps) {
          request = { ...request, options: { ...request.options, humps: GLASS_HUMPS } };
          found = await identifyPhases(steps, body.max_phases, true);
        }
        const isCutShort = performance.now() - begun >= 1000 * SEARCH_SECONDS;
        step = body.max_phases + 2;
        const sources = found.phases.flatMap(({ id }) => materials.get(id) ?? []);
        const refined =
          sources.length === 0
            ? undefined
            : await threads.run('refinePhases', {
                request,
                control,
                mixture: found.mixture,
                sources: sources.map(({ conventional }) => conventional),
                seconds: REFINE_SECONDS,
              });
        const seconds = (performance.now() - begun) / 1000;
        const phases = found.phases.map((phase, p) =>
          // Elements that the user named need no proof.
          toIdentified(
            phase,
            areElementsNamed(sources[p]!) ? undefined : refined?.result.phases[p],
            materials,
            t,
          ),
        );
        const course = {
          isNoneCompared: candidates?.length === 0,
          isLimited: filter !== undefined,
          isCutShort,
          hasHumps,
        };
        return {
          ...done,
          ...verdictOfPhases(phases, found.explained, course, t),
          phases,
          explained_share: roundTo(found.explained, 4),
          refinement: refined
            ? toRefineResult(refined, {
                structIds: sources.map(({ structId }) => structId),
                radiation,
                seconds,
                waitedSeconds: match.waited / 1000,
                t,
              })
            : null,
          candidates: count,
          seconds: roundTo(seconds, 3),
        };
      });
    },
  };
}

function toIdentified(
  phase: Found,
  refined: RefinedPhase | undefined,
  materials: ReadonlyMap<number, ReferenceMaterial>,
  t: RequestOrigin['t'],
): IdentifiedPhase {
  const named = (id: number) => {
    const material = materials.get(id);
    return { struct_id: id, formula: material?.formula ?? '', space_group: material?.spaceGroup ?? '' };
  };
  return {
    ...named(phase.id),
    significance: roundTo(phase.significance, 1),
    confirmed_share: roundTo(phase.confirmed, 3),
    doubt: refined
      ? doubtOf(
          {
            formula: named(phase.id).formula,
            share: phase.share,
            refined,
            rivals: phase.alternatives.map(({ id, strain }) => ({ formula: named(id).formula, strain })),
          },
          t,
        )
      : null,
    alternatives: phase.alternatives.map(({ id }) => named(id)),
  };
}
