/**
 * Patterns before and after a match: uploads are read and normalised, and their background is removed;
 * calculated patterns are overlaid. Patterns sent back by clients are validated again. The SQL of the matcher's
 * materials is at the end.
 */
import { parseStructId } from '@unitcell/contract/common';
import { MAX_PATTERN_POINTS, type ReferencePattern, type XrdData, type xrdGet } from '@unitcell/contract/xrd';
import {
  type ElementFilter,
  findRadiationSource,
  MIN_PATTERN_POINTS,
  NEGATIVE_INTENSITY_SHARE,
  openPatternIndex,
  type Probe,
  RADIATION_SOURCES,
} from '@unitcell/diffraction';
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';
import type { Pattern, ReadPattern } from './xrd.thread.ts';
import type * as xrdThread from './xrd.thread.ts';
import { done } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Caller, ThreadHandle } from '../../infra/thread-pool.ts';
import { checkedWavelength, type PowderPatterns } from '../../domain/powder/powder-patterns.ts';
import { type PatternIndexRefresher, positionsOf } from './match/pattern-index.ts';

export interface Radiation {
  /** Name shown to users: `CuKα`, or the wavelength as text. */
  readonly name: string;
  /** Å */
  readonly wavelength: number;
  /** Undefined for X-rays. */
  readonly probe?: Probe | undefined;
}

/**
 * Reads a source by id or shown name, a wavelength in Å as number or text, or `neutrons 1.594`.
 * @throws AppError xrd.unknown-source, xrd.bad-wavelength, xrd.neutrons.wavelength
 */
export function readRadiation(typed: string | number): Radiation {
  const text = String(typed).trim();
  const source = findRadiationSource(text);
  if (source)
    return { name: source.name, wavelength: checkedWavelength(source.wavelength), probe: source.probe };
  if (/^neutron/i.test(text)) throw new AppError('xrd.neutrons.wavelength');
  const wavelength = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(wavelength))
    throw new AppError('xrd.unknown-source', {
      text: text.slice(0, 40),
      known: RADIATION_SOURCES.map(({ id }) => id).join(', '),
    });
  return { name: text, wavelength: checkedWavelength(wavelength) };
}

/** No detector counts more. The sums of squares of a fit overflow for intensities from about 1e150. */
const MAX_INTENSITY = 1e15;

/** @throws AppError xrd.data.* naming the invalid point */
export function assertPattern({ x, y }: Pattern): void {
  if (x.length !== y.length)
    throw new AppError('xrd.data.lengths', { angles: x.length, intensities: y.length });
  if (x.length > MAX_PATTERN_POINTS)
    throw new AppError('xrd.data.too-many', { points: x.length, limit: MAX_PATTERN_POINTS });
  if (x.length < MIN_PATTERN_POINTS)
    throw new AppError('xrd.data.too-few', { points: x.length, minimum: MIN_PATTERN_POINTS });
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [i, angle] of x.entries()) {
    if (!(angle >= 0 && angle <= 180)) throw new AppError('xrd.data.angle', { point: i + 1, angle });
    if (i > 0 && !(angle > x[i - 1]!)) throw new AppError('xrd.data.order', { point: i + 1, angle });
    lowest = Math.min(lowest, y[i]!);
    highest = Math.max(highest, y[i]!);
  }
  if (lowest === highest) throw new AppError('xrd.data.constant', { value: highest });
  if (lowest < -NEGATIVE_INTENSITY_SHARE * highest || highest > MAX_INTENSITY)
    throw new AppError('xrd.data.negative', { lowest, highest });
}

const DIGITS = 7;

/** Scales the strongest point to 100. */
function normalised(y: readonly number[]): number[] {
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  if (!(highest > 0)) throw new AppError('xrd.no-peaks-left');
  return y.map((value) => Number(((100 * value) / highest).toPrecision(DIGITS)));
}

export function patterns(threads: ThreadHandle<typeof xrdThread>) {
  return {
    /** @throws AppError xrd.file.* with the line found and the line expected */
    async read(bytes: Uint8Array, caller: Caller): Promise<ReadPattern> {
      return await threads.run('receivePattern', bytes, caller);
    },

    /** @throws AppError xrd.data.* */
    normalise(data: XrdData): XrdData {
      assertPattern(data);
      return { ...data, y: normalised(data.y), name: 'normlized' };
    },

    /** @throws AppError xrd.data.*, xrd.no-peaks-left */
    async removeBackground(
      data: XrdData,
      isNormalised: boolean,
      caller: Caller,
    ): Promise<XrdData & { readonly background: number[] }> {
      assertPattern(data);
      const { y, background } = await threads.run('splitBackground', { x: data.x, y: data.y }, caller);
      if (!y.some((value) => value > 0)) throw new AppError('xrd.no-peaks-left');
      return {
        x: data.x,
        y: isNormalised ? normalised(y) : [...y],
        name: isNormalised ? 'normlized' : 'pristine',
        background_removed: true,
        background: [...background],
      };
    },
  };
}

export function references(repository: XrdRepository, powderPatterns: PowderPatterns) {
  /** @throws AppError material.not-found, xrd.unknown-source, and the errors of powderPatterns */
  return async function reference(
    body: z.output<typeof xrdGet.request>,
    caller: Caller,
  ): Promise<ReferencePattern> {
    const { name, wavelength, probe } = readRadiation(body.radiation);
    const crystalliteSizeNm = body.crystal_size;
    const typed = parseStructId(body.struct_id);
    const material = typed === null ? null : await repository.reference(typed);
    if (!material) throw new AppError('material.not-found', { id: String(body.struct_id).slice(0, 20) });
    const { structId, formula, spaceGroup, conventional } = material;
    const drawn = await powderPatterns(
      {
        cell: conventional,
        formula,
        wavelength,
        probe,
        crystalliteSizeNm,
        strain: body.strain,
        twoThetaMaxDeg: body.two_theta_max,
      },
      caller,
    );
    return {
      ...done,
      ...drawn,
      struct_id: structId,
      formula,
      space_group: spaceGroup,
      radiation: name,
      wavelength,
      crystal_size: crystalliteSizeNm,
      strain: body.strain,
    };
  };
}

/** Largest number of materials of one search with neutrons. */
const MAX_NEUTRON_MATERIALS = 4000;

/** Materials of one task of a thread. */
const TASK = 500;

/**
 * The index of the neutron patterns of one search. The catalogue stores only X-ray patterns, because neutron
 * patterns are rarely needed. For the materials of named elements, neutron patterns are calculated in about a
 * second.
 * @returns the index, and the stored form of each pattern by struct_id
 * @throws AppError xrd.neutrons.too-many
 */
export async function neutronIndex(
  threads: Pick<ThreadHandle<typeof xrdThread>, 'run'>,
  repository: XrdRepository,
  ids: Uint32Array,
): Promise<{ readonly index: SharedArrayBuffer; readonly patterns: ReadonlyMap<number, Uint8Array> }> {
  if (ids.length > MAX_NEUTRON_MATERIALS)
    throw new AppError('xrd.neutrons.too-many', { count: ids.length, limit: MAX_NEUTRON_MATERIALS });
  const starts = Array.from({ length: Math.ceil(ids.length / TASK) }, (_, i) => i * TASK);
  const parts = await Promise.all(
    starts.map(async (start) => {
      const cells = await repository.references([...ids.subarray(start, start + TASK)]);
      return await threads.run('neutronPatterns', cells);
    }),
  );
  const entries = parts.flat();
  return {
    index: await threads.run('sharedIndex', entries),
    patterns: new Map(entries.map(({ id, packed }) => [id, packed])),
  };
}

interface IndexSources {
  readonly threads: Pick<ThreadHandle<typeof xrdThread>, 'run'>;
  readonly refresher: PatternIndexRefresher;
  readonly repository: XrdRepository;
}

/**
 * The index of the patterns for a probe, and the positions in it of the materials that pass the filter.
 * @param isMixture the elements are those of a sample of several phases
 */
export async function searchedIndex(
  { threads, refresher, repository }: IndexSources,
  filter: ElementFilter | undefined,
  probe: Probe | undefined,
  isMixture = false,
) {
  const index = await refresher.current();
  const { ids, count } = openPatternIndex(index);
  const candidates = filter && positionsOf(await repository.structIds(filter, isMixture), ids);
  const stored = { index, candidates, count: candidates?.length ?? count, neutrons: undefined };
  if (probe !== 'neutron') return stored;
  const made = await neutronIndex(threads, repository, candidates?.map((at) => ids[at]!) ?? ids);
  return { ...stored, index: made.index, candidates: undefined, neutrons: made.patterns };
}

// ── The materials of the matcher ──

export interface MatchedMaterial {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly nSites: number;
  /** eV/atom on the site's scale; null for a material without an energy on this scale. */
  readonly energyAboveHull: number | null;
  /** The stored pattern (packPattern). */
  readonly pattern: Buffer;
}

export interface ReferenceMaterial {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly conventional: CompactCell;
}

const material = columnsOf('material');

export type XrdRepository = ReturnType<typeof xrdRepository>;

/** @param functional energy scale of the site, so that all energies of a list are comparable */
export function xrdRepository({ readDb }: Pick<Database, 'readDb'>, functional: string) {
  const withStructure = () =>
    readDb
      .selectFrom('material')
      .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
      .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup', 'conventional']);

  return {
    /**
     * Ids of the materials that pass the filter, in ascending order. They are returned as one array instead
     * of rows, because `include: O *` selects half of all materials. If the filter allows no other elements,
     * a phase of a mixture may lack some of the named elements, because each phase of a sample contains only
     * a part of them.
     */
    async structIds({ elements, others }: ElementFilter, isMixture: boolean): Promise<Uint32Array> {
      const sorted = [...elements].sort();
      const { ids } = await readDb
        .selectFrom('material')
        .select(
          sql<Buffer | null>`string_agg(int4send(${material('struct_id')}), ''::bytea ORDER BY ${material('struct_id')})`.as(
            'ids',
          ),
        )
        .where((is) => {
          if (others) return sql<boolean>`${material('elements')} @> ${sorted}::text[]`;
          return isMixture
            ? sql<boolean>`${material('elements')} <@ ${sorted}::text[]`
            : is('chemical_system', '=', sorted.join('-'));
        })
        .executeTakeFirstOrThrow();
      const bytes = ids ?? Buffer.alloc(0);
      return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
    },

    /** Materials in any order, without deleted ones. */
    async materials(structIds: readonly number[]): Promise<MatchedMaterial[]> {
      return readDb
        .selectFrom('material')
        .innerJoin('powder_pattern', 'powder_pattern.struct_id', 'material.struct_id')
        .leftJoin('material_energy', (join) =>
          join
            .onRef('material_energy.struct_id', '=', 'material.struct_id')
            .on('material_energy.functional', '=', functional),
        )
        .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup'])
        .select(['nsites as nSites', 'material_energy.energy_above_hull as energyAboveHull', 'pattern'])
        .where('material.struct_id', '=', anyOf(structIds, 'int'))
        .execute();
    },

    /** Materials in any order, without deleted ones. */
    async references(structIds: readonly number[]): Promise<ReferenceMaterial[]> {
      return withStructure().where('material.struct_id', '=', anyOf(structIds, 'int')).execute();
    },

    async reference(structId: number): Promise<ReferenceMaterial | null> {
      const found = await withStructure()
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },
  };
}
