/** One material for the detail page (spec §2.8). */
import { parseStructId } from '@unitcell/contract/common';
import { getStructDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { parseFormula } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import type { RawBuilder } from 'kysely';
import type { Services } from '../../domain/services.ts';
import { readScaleFailures } from '../../domain/thermodynamics/scale-accuracy.ts';
import { keptAnswers, serveCall } from '../../http/serve-call.ts';
import { currentStructId, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { toMaterialDetail } from './detail.mapper.ts';
import { storedDetails } from './stored-detail.ts';

/** @throws AppError material.not-found */
export type DetailOf = (structId: string | number) => Promise<MaterialDetail>;

/**
 * Adds to each energy its uncertainties: missing compounds of its system, and the scale's deviation from
 * experiment.
 */
async function withUncertainties(
  answer: MaterialDetail,
  { completeness, scaleAccuracy }: Pick<Services, 'completeness' | 'scaleAccuracy'>,
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

/** Enough for about 2,500 materials: an answer takes 20 kB, compressed a quarter of that. */
const KEPT_BYTES = 64 * 2 ** 20;

/** @returns the detail of a material, which the file routes also use */
export function detailRoutes(app: FastifyInstance, services: Services): DetailOf {
  const { readDb, readPool } = services.database;
  const byId = prepared('material-detail', (structId: RawBuilder<number>) =>
    storedDetails(readDb).where('material.struct_id', '=', currentStructId(structId)),
  );

  async function detailOf(typed: string | number): Promise<MaterialDetail> {
    const structId = parseStructId(typed);
    const [stored] = structId === null ? [] : await byId(readPool, structId);
    if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    // The public address of the site is part of the citation.
    return withUncertainties(toMaterialDetail(stored, services.config.publicUrl), services);
  }

  // Band structures make this answer large, so it is written directly. A test compares it with the contract.
  const kept = keptAnswers(services.catalogueCaches, KEPT_BYTES);
  serveCall(app, getStructDetail, ({ body: { struct_id: structId } }) =>
    kept([structId], async () => JSON.stringify(await detailOf(structId))),
  );
  return detailOf;
}
