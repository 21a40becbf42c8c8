/** Values that the material page derives from the answer. */
import type { MaterialDetail, SectionSource, StatedGap } from '@unitcell/contract/matdata';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import {
  type Bilingual,
  type FieldMethod,
  fields,
  type GivenNumberName,
  ON_HULL,
  optionText,
  type PlacedName,
  type Scalars,
  unplace,
} from '@unitcell/material';
import { inverse3, type Mat3, norm3, rowTimesMatrix3 } from '@unitcell/numerics';
import type { Language } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/texts.ts';
import { type EnergyUnit, energyText } from '../../lib/energy-unit.ts';
import { formatNumber } from '../../lib/format.ts';
import type { detailTexts } from './detail-texts.ts';
import { sourceOf, sourceOfField } from './sources-view-model.ts';

/** An energy above the hull, marked as a lower bound if the chemical system lacks compounds. */
export const hullText = (
  value: number | null | undefined,
  completeness: Pick<Completeness, 'status'> | undefined,
  unit: EnergyUnit = 'eV/atom',
  decimals = 3,
): string =>
  (completeness?.status === 'incomplete' && typeof value === 'number' ? '≥ ' : '') +
  energyText(value, unit, decimals);

/** An atom of the conventional cell. */
export interface AtomicPosition {
  /** One-based. */
  readonly number: number;
  /** `Fe`, or for a shared site `Fe 0.75, Co 0.25`. */
  readonly content: string;
  /** Wyckoff position `4a`, or only the letter; null if unknown. */
  readonly wyckoff: string | null;
  /** Fractional coordinates. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

type Symmetric = Pick<MaterialDetail, 'structures' | 'symmetry_data'>;

/** Wyckoff positions (`4a`, or only the letter) of the atoms of the conventional cell; undefined if unknown. */
export function conventionalWyckoffs({
  structures,
  symmetry_data: { wyckoffs, multiplicities },
}: Symmetric): readonly string[] | undefined {
  const isLettered = wyckoffs.length === structures.conventional.sites.length;
  return isLettered
    ? wyckoffs.map((letter, index) => `${multiplicities?.[index] ?? ''}${letter}`)
    : undefined;
}

export function atomicPositions(material: Symmetric): readonly AtomicPosition[] {
  const wyckoffs = conventionalWyckoffs(material);
  return material.structures.conventional.sites.map(({ species, abc }, index) => ({
    number: index + 1,
    content: species.map(({ element, occu }) => (occu === 1 ? element : `${element} ${occu}`)).join(', '),
    wyckoff: wyckoffs?.[index] ?? null,
    x: abc[0] ?? 0,
    y: abc[1] ?? 0,
    z: abc[2] ?? 0,
  }));
}

/** Å; atoms closer than this are the same. The primitive cell is cut from the conventional one, so positions agree. */
const SAME_PLACE = 0.01;

/** Wyckoff positions of the primitive cell, taken from conventional atoms at the same positions; undefined if any is unknown. */
export function primitiveWyckoffs(material: Symmetric): readonly string[] | undefined {
  const { conventional, primitive } = material.structures;
  const wyckoffs = conventionalWyckoffs(material) ?? [];
  const cell = conventional.lattice.matrix as unknown as Mat3;
  const fromCartesian = inverse3(cell);
  const letters = primitive.sites.flatMap(({ abc }) => {
    const place = rowTimesMatrix3(
      rowTimesMatrix3(abc, primitive.lattice.matrix as unknown as Mat3),
      fromCartesian,
    );
    const found = conventional.sites.findIndex((site) => {
      const [x = 0, y = 0, z = 0] = site.abc.map((value, axis) => {
        const apart = value - (place[axis] ?? 0);
        return apart - Math.round(apart);
      });
      return norm3(rowTimesMatrix3([x, y, z], cell)) < SAME_PLACE;
    });
    return wyckoffs[found] ?? [];
  });
  return letters.length === primitive.sites.length ? letters : undefined;
}

/** The elements with their Wyckoff positions: `Ga 4a, As 4c`. */
export function occupiedPositions(material: Symmetric): string {
  const pairs = atomicPositions(material).flatMap(({ content, wyckoff }) =>
    wyckoff === null ? [] : [`${content} ${wyckoff}`],
  );
  return [...new Set(pairs)].join(', ');
}

/** The date of an ISO 8601 timestamp. */
export const dayOf = (moment: string): string => moment.slice(0, 10);

export const isStable = ({ energies }: Pick<MaterialDetail, 'energies'>): boolean =>
  energies.e_above_hull !== null && energies.e_above_hull <= ON_HULL;

/** Name of a download; spec §2.8 defines those of CIF files. */
export const downloadName = (
  structId: number,
  cell: 'primitive' | 'conventional',
  extension: string,
): string => `${structId}-${cell}-cell.${extension}`;

/** A field value with its method and source. */
export interface NumberFact {
  readonly label: Bilingual;
  readonly unit: string;
  readonly value: number | null;
  readonly method: FieldMethod;
  readonly source: SectionSource | undefined;
}

export function numberFact(material: MaterialDetail, name: GivenNumberName): NumberFact {
  const { label, unit, method } = fields[name];
  const value = unplace<'detail', Pick<Scalars, PlacedName<'detail'>>>('detail', material)[name];
  return { label, unit, method, value, source: sourceOfField(material, name) };
}

/** A magnetic order from which a calculation of Run4U started, and how it ended. */
export interface MagneticStart {
  readonly order: 'ferromagnetic' | 'antiferromagnetic';
  readonly wave: readonly number[];
  readonly energy_per_atom?: number;
  /** Reason code of a start without an energy. */
  readonly failure?: string;
  /** µB per site; absent if the engine did not write them. */
  readonly local_moments?: readonly number[];
  readonly is_order_kept?: boolean;
}

const isMagneticStart = (one: unknown): one is MagneticStart => {
  const start = one as MagneticStart | null;
  return (
    (start?.order === 'ferromagnetic' || start?.order === 'antiferromagnetic') &&
    Array.isArray(start.wave) &&
    (typeof start.energy_per_atom === 'number' || typeof start.failure === 'string')
  );
};

/** The provenance of other sources may contain anything. */
export function magneticStarts({ provenance }: Pick<MaterialDetail, 'provenance'>): readonly MagneticStart[] {
  const starts = provenance['magnetic_orderings'];
  return Array.isArray(starts) ? starts.filter(isMagneticStart) : [];
}

// The gaps of a material, each with its own name: published, calculated here, measured.

type T = Translate<(typeof detailTexts)['en']>;

export const sourceOfGap = (
  material: Pick<MaterialDetail, 'sources'>,
  { of, functional }: StatedGap,
): SectionSource | undefined =>
  of === 'bands' ? sourceOf(material, 'bands', functional) : sourceOf(material, 'band_gap', of);

/** A gap as text: `metal` for 0, a measured or quoted gap as published, others rounded. */
export function gapText({ of, value }: StatedGap, language: Language): string {
  if (value === 0) return optionText('bandGapType', 'metal', language);
  return of === 'measured' || of === 'quoted' ? String(value) : formatNumber(value);
}

/** `PBE, Materials Project`; `PBE, calculated here`; `measured`. */
export function gapLabel(gap: StatedGap, source: SectionSource | undefined, t: T): string {
  if (gap.of === 'quoted') return t('gapQuoted');
  if (gap.of === 'measured') return t('gapMeasured');
  const functional = source?.method.find(({ key }) => key === 'functional')?.value ?? gap.functional;
  if (gap.of === 'bands') return [functional, t('gapOfBands')].join(', ');
  const by = source?.works[0]?.text.replace(/ mp-\d+$/, '') ?? '';
  const isMeasured = source?.kinds.includes('measured') === true;
  return [isMeasured ? t('gapMeasured') : functional, by].filter((part) => part !== '').join(', ');
}
