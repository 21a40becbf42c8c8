/** Refines a measured pattern with phases of the site or uploaded CIFs. Refinements and matches share a queue. */
import { parseStructId } from '@unitcell/contract/common';
import type { RefineResult, refineRequest } from '@unitcell/contract/xrd';
import {
  findRadiationSource,
  kAlphaPair,
  kBetaOf,
  type RadiationLine,
  type RefinementOptions,
  type TextureChoice,
} from '@unitcell/diffraction';
import type { z } from 'zod';
import { checkedWavelength } from '../../../domain/powder/powder-patterns.ts';
import type { ThreadHandle } from '../../../infra/thread-pool.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { MatchQueue } from '../match/match-queue.ts';
import type { RequestOrigin } from '../match/match.service.ts';
import { assertPattern, readRadiation, type XrdRepository } from '../patterns.ts';
import type * as xrdThread from '../xrd.thread.ts';
import { toRefineResult } from './refine.mapper.ts';
import {
  cyclesDone,
  newRefineControl,
  type PhaseRequest,
  type RefineWork,
  stopRefining,
} from './refine-pattern.ts';

export type RefineBody = z.output<typeof refineRequest>;

/** A refinement ends after this time with its best result so far. Three phases take seconds on an idle processor. */
const REFINE_SECONDS = 120;

/** Largest number of radiation lines in a refinement. */
const MAX_LINES = 3;

interface Options {
  readonly threads: ThreadHandle<typeof xrdThread>;
  readonly repository: XrdRepository;
  readonly queue: MatchQueue;
}

/** The radiation of the measurement: the lines of a source, or one wavelength. @throws AppError the errors of readRadiation */
export function radiationOf(body: RefineBody): Pick<RefineWork, 'radiation' | 'probe'> {
  const { probe } = readRadiation(body.radiation);
  return { radiation: linesOf(body, probe), probe };
}

/** Kα1 and Kα2 of a tube, and Kβ if it is asked for. */
function linesOf(body: RefineBody, probe: RefineWork['probe']): RadiationLine[] {
  const lines = kAlphaLines(body);
  if (probe === 'neutron') return lines;
  const kBeta = kBetaOf(lines[0]!.wavelength);
  return body.k_beta > 0 && kBeta !== undefined && lines.length < MAX_LINES
    ? [...lines, { wavelength: kBeta, weight: body.k_beta * lines[0]!.weight }]
    : lines;
}

function kAlphaLines({ radiation, wavelengths }: RefineBody): RadiationLine[] {
  if (wavelengths !== undefined && wavelengths.length > 0)
    return wavelengths.map(({ wavelength, weight }) => ({
      wavelength: checkedWavelength(wavelength),
      weight,
    }));
  const { name, wavelength, probe } = readRadiation(radiation);
  const isTube = findRadiationSource(name) !== undefined && probe === undefined;
  const [strong, weak] = (isTube && kAlphaPair(wavelength)) || [];
  if (!strong || !weak) return [{ wavelength, weight: 1 }];
  return [strong, weak].map(({ ratio, share }) => ({
    wavelength: Number((wavelength * ratio).toFixed(6)),
    weight: share / strong.share,
  }));
}

/** How the sample was irradiated. */
export const sampleOf = (body: RefineBody): Pick<RefineWork, 'isSlitVariable' | 'sampleThickness'> => ({
  isSlitVariable: body.variable_slit,
  sampleThickness: body.sample_thickness,
});

/** The regions whose points are not used. @throws AppError xrd.refine.range */
export function excludedOf({ range, excluded, xrd_data: { x } }: RefineBody): [number, number][] {
  const [first, last] = [x[0]!, x.at(-1)!];
  const [from = first, to = last] = range ?? [];
  const regions = excluded.map(([start = 0, end = 0]): [number, number] => [start, end]);
  for (const [start, end] of [[from, to], ...regions] as const)
    if (!(start < end)) throw new AppError('xrd.refine.range', { from: start, to: end });
  if (!(from < last && to > first)) throw new AppError('xrd.refine.range', { from, to });
  // The range includes its limits.
  const beside = 1e-9;
  return [
    ...(from > first ? [[first, from - beside] as [number, number]] : []),
    ...regions,
    ...(to < last ? [[to + beside, last] as [number, number]] : []),
  ];
}

const textureOf = (texture: 'none' | 'automatic' | readonly number[]): TextureChoice =>
  typeof texture === 'string' ? texture : { axis: [texture[0] ?? 0, texture[1] ?? 0, texture[2] ?? 0] };

export function optionsOf(body: RefineBody): RefinementOptions {
  const { refined, instrument } = body;
  return {
    method: body.method,
    refine: refined
      ? {
          cell: refined.cell,
          profile: refined.profile,
          overallB: refined.overall_b,
          axialDivergence: refined.axial_divergence,
          texture: textureOf(refined.texture),
        }
      : 'automatic',
    shift: body.shift,
    backgroundTerms: body.background_terms,
    humps: body.humps,
    profile:
      typeof instrument === 'string'
        ? instrument
        : {
            ...instrument,
            sampleOverRadius: instrument.axial?.[0],
            detectorOverRadius: instrument.axial?.[1],
          },
    profileIsCalibrated: body.is_calibrated,
  };
}

/** @throws AppError xrd.data.*, xrd.refine.background-removed, xrd.refine.sigmas */
export function patternOf({ xrd_data, sigmas }: RefineBody): RefineWork['pattern'] {
  assertPattern(xrd_data);
  if (xrd_data.background_removed) throw new AppError('xrd.refine.background-removed');
  if (sigmas && sigmas.length !== xrd_data.x.length)
    throw new AppError('xrd.refine.sigmas', { sigmas: sigmas.length, points: xrd_data.x.length });
  return { twoThetaDeg: xrd_data.x, intensities: xrd_data.y, ...(sigmas ? { sigmas } : {}) };
}

export function refinements({ threads, repository, queue }: Options) {
  /** @throws AppError xrd.refine.phase, material.not-found */
  async function phaseOf(phase: RefineBody['phases'][number], index: number) {
    if ((phase.struct_id === undefined) === (phase.cif === undefined))
      throw new AppError('xrd.refine.phase', { number: index + 1 });
    const shared = {
      label: phase.name,
      strain: phase.strain,
      ...(phase.texture ? { texture: textureOf(phase.texture) } : {}),
      ...(phase.particle_size ? { particleDiameterUm: phase.particle_size } : {}),
      ...(phase.standard_fraction ? { standardFraction: phase.standard_fraction } : {}),
    };
    if (phase.cif !== undefined) return { structId: null, work: { ...shared, source: phase.cif } };
    const id = parseStructId(phase.struct_id ?? '');
    const found = id === null ? null : await repository.reference(id);
    if (!found) throw new AppError('material.not-found', { id: String(phase.struct_id).slice(0, 20) });
    const work: PhaseRequest = { ...shared, source: found.conventional };
    return { structId: found.structId, work };
  }

  return {
    /** @throws AppError for errors that a user can correct; xrd.cancelled */
    async refine(body: RefineBody, { accountId, t, signal }: RequestOrigin): Promise<RefineResult> {
      const pattern = patternOf(body);
      const { radiation, probe } = radiationOf(body);
      const excluded = excludedOf(body);
      const phases = await Promise.all(body.phases.map(phaseOf));
      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const begun = performance.now();
        const control = newRefineControl();
        match.status = () => ({ state: 'refining', progress: cyclesDone(control) });
        match.signal.addEventListener('abort', () => stopRefining(control), { once: true });
        const refined = await threads.run('refinePattern', {
          pattern,
          radiation,
          probe,
          excluded,
          monochromatorTwoThetaDeg: body.monochromator,
          ...sampleOf(body),
          polarisationRatio: body.polarisation,
          goniometerRadiusMm: body.goniometer_radius,
          options: optionsOf(body),
          phases: phases.map(({ work }) => work),
          control,
          seconds: REFINE_SECONDS,
        });
        return toRefineResult(refined, {
          structIds: phases.map(({ structId }) => structId),
          radiation,
          seconds: (performance.now() - begun) / 1000,
          waitedSeconds: match.waited / 1000,
          t,
        });
      });
    },
  };
}
