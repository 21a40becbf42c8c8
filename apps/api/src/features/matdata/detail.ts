/** One material for the detail page (spec §2.8). */
import { parseStructId } from '@unitcell/contract/common';
import { getStructDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { parseFormula } from '@unitcell/crystal';
import { AppError } from '../../messages/app-error.ts';
import { toMaterialDetail } from './detail.mapper.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { readScaleFailures, type ScaleAccuracy } from '../../domain/thermodynamics/scale-accuracy.ts';
import { type DetailRepository, detailRepository } from './detail.repository.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { keptAnswers, serveCall } from '../../http/serve-call.ts';

export type Detail = ReturnType<typeof detail>;

interface Thermodynamics {
  readonly completeness: Completenesses;
  readonly scaleAccuracy: ScaleAccuracy;
}

/** Each energy with what bounds it: compounds its system lacks, and how far the scale lies from experiment. */
async function withTrust(
  answer: MaterialDetail,
  { completeness, scaleAccuracy }: Thermodynamics,
): Promise<MaterialDetail> {
  const composition = parseFormula(answer.formula);
  const energy_scales = await Promise.all(
    answer.energy_scales.map(async (scale) => {
      const error = await scaleAccuracy.errorOf(scale.functional, composition);
      return {
        ...scale,
        completeness: await completeness.of(scale.functional, answer.elements, { e_above_hull: 'lower' }),
        ...(error === null ? {} : { expected_error: error }),
      };
    }),
  );
  return { ...answer, energy_scales, scale_failures: readScaleFailures(answer.provenance.scale_failures) };
}

/** @param siteAddress where the site is reached: part of what is cited */
function detail(repository: DetailRepository, thermodynamics: Thermodynamics, siteAddress: string) {
  return {
    /** @throws AppError material.not-found */
    async byStructId(typed: string | number): Promise<MaterialDetail> {
      const structId = parseStructId(typed);
      const stored = structId === null ? null : await repository.byStructId(structId);
      if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
      return withTrust(toMaterialDetail(stored, siteAddress), thermodynamics);
    },
  };
}

/** Some 2,500 materials: an answer takes 20 kB, and a quarter of that compressed. */
const KEPT_BYTES = 64 * 2 ** 20;

/** @returns the details, from which files are made too */
export function detailRoutes(
  app: FastifyInstance,
  { database, catalogueCaches, completeness, scaleAccuracy, config }: Services,
): Detail {
  const details = detail(detailRepository(database), { completeness, scaleAccuracy }, config.publicUrl);
  // Band structures make this answer large: it is written at once. A test holds it against the contract.
  const kept = keptAnswers(catalogueCaches, KEPT_BYTES);
  serveCall(app, getStructDetail, ({ body: { struct_id: structId } }) =>
    kept([structId], async () => JSON.stringify(await details.byStructId(structId))),
  );
  return details;
}
