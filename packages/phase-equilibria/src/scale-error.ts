/**
 * Deviations of computed formation energies from measured ones, by class of compounds. The errors of a
 * functional depend on the bonding, so a single number for all compounds would mean little.
 */
import type { Composition } from '@unitcell/crystal';

/** The classes, in the order in which `compoundClass` tests for them. */
export const COMPOUND_CLASSES = [
  'hydroxide',
  'oxyhalide',
  'oxosalt',
  'oxide',
  'halide',
  'chalcogenide',
  'nitride',
  'pnictide',
  'carbide',
  'boride',
  'silicide',
  'hydride',
  'intermetallic',
] as const;
export type CompoundClass = (typeof COMPOUND_CLASSES)[number];

const HALOGENS = ['F', 'Cl', 'Br', 'I', 'At'];

/** Central atoms of oxoanions; borates, silicates and germanates count as oxides. */
const OXOANION_CENTRES = ['C', 'N', 'P', 'As', 'S', 'Se'];

/** Rules for compounds without oxygen; the first rule that applies gives the class. */
const ANIONS: readonly (readonly [CompoundClass, readonly string[]])[] = [
  ['halide', HALOGENS],
  ['chalcogenide', ['S', 'Se', 'Te']],
  ['nitride', ['N']],
  ['pnictide', ['P', 'As', 'Sb']],
  ['carbide', ['C']],
  ['boride', ['B']],
  ['silicide', ['Si', 'Ge']],
  ['hydride', ['H']],
];

/**
 * The class of a compound by its composition: oxides, oxosalts (carbonates, nitrates, phosphates, sulfates …),
 * hydroxides and hydrates, halides, chalcogenides, …; intermetallic if the compound contains no such non-metal.
 * Null for an element.
 */
export function compoundClass(composition: Composition): CompoundClass | null {
  const elements = new Set(Object.keys(composition).filter((element) => composition[element] > 0));
  const holds = (symbols: readonly string[]): boolean => symbols.some((symbol) => elements.has(symbol));
  if (elements.size < 2) return null;
  if (elements.has('O')) {
    if (elements.has('H')) return 'hydroxide';
    if (holds(HALOGENS)) return 'oxyhalide';
    return holds(OXOANION_CENTRES) ? 'oxosalt' : 'oxide';
  }
  return ANIONS.find(([, symbols]) => holds(symbols))?.[0] ?? 'intermetallic';
}

/** Energies of one compound on both scales, eV/atom. */
export interface EnergyPair {
  readonly composition: Composition;
  readonly computed: number;
  readonly measured: number;
}

/** Statistics of computed minus measured formation energies of a set of compounds. */
export interface ScaleError {
  /** Number of compounds. */
  readonly count: number;
  /** Mean deviation, eV/atom; negative if the computed scale binds too strongly. */
  readonly mean: number;
  /** Mean absolute deviation, eV/atom. */
  readonly meanAbsolute: number;
  /**
   * Mean absolute deviation of the normal distribution whose central 80 % interval contains 80 % of the
   * measured deviations, eV/atom. It differs from `meanAbsolute`, because measured deviations have heavier or
   * lighter tails.
   */
  readonly calibrated: number;
}

/** Errors by class, and for all compounds together. */
export interface ScaleErrors {
  readonly byClass: ReadonlyMap<CompoundClass, ScaleError>;
  /** Null if no compound has both energies. */
  readonly all: ScaleError | null;
}

/** Classes with fewer compounds are not reported. */
export const MIN_COMPARED = 10;

/** Ratio of the standard deviation to the mean absolute deviation of a normal distribution. */
export const SPREAD_OF_MEAN_ABSOLUTE = Math.sqrt(Math.PI / 2);

/**
 * Share of the deviations by which errors are calibrated, and half width (standard deviations) of the central
 * interval with this share of a normal distribution.
 */
const CALIBRATED_SHARE = 0.8;
const CALIBRATED_WIDTH = 1.2816;

/**
 * The next deviation is below the deviation of rank ⌈share (n + 1)⌉ with at least this probability, whatever the
 * distribution (G. Shafer, V. Vovk, J. Mach. Learn. Res. 9, 371 (2008)).
 */
function calibratedError(absolute: readonly number[]): number {
  const rank = Math.min(absolute.length, Math.ceil(CALIBRATED_SHARE * (absolute.length + 1)));
  const width = [...absolute].sort((one, other) => one - other)[rank - 1];
  return width / (CALIBRATED_WIDTH * SPREAD_OF_MEAN_ABSOLUTE);
}

function errorOf(deviations: readonly number[]): ScaleError {
  const average = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const absolute = deviations.map(Math.abs);
  return {
    count: deviations.length,
    mean: average(deviations),
    meanAbsolute: average(absolute),
    calibrated: calibratedError(absolute),
  };
}

/**
 * Classes with fewer than `MIN_COMPARED` compounds are left out. Elements are not counted, because their
 * formation energies are zero by definition.
 */
export function scaleErrors(pairs: Iterable<EnergyPair>): ScaleErrors {
  const deviations = new Map<CompoundClass, number[]>();
  for (const { composition, computed, measured } of pairs) {
    const kind = compoundClass(composition);
    if (kind === null) continue;
    const known = deviations.get(kind);
    if (known === undefined) deviations.set(kind, [computed - measured]);
    else known.push(computed - measured);
  }
  const all = [...deviations.values()].flat();
  return {
    byClass: new Map(
      [...deviations]
        .filter(([, values]) => values.length >= MIN_COMPARED)
        .map(([kind, values]) => [kind, errorOf(values)]),
    ),
    all: all.length >= MIN_COMPARED ? errorOf(all) : null,
  };
}

/** Calibrated deviations (`ScaleError.calibrated`) of computed formation energies from measured ones, eV/atom. */
export interface Deviations {
  readonly byClass: Readonly<Partial<Record<CompoundClass, number>>>;
  /** For compounds of classes that are not listed; null if no compound was compared. */
  readonly all: number | null;
}

/**
 * Expected error of the formation energy of a compound, eV/atom: that of its class, else that of all compounds.
 * Zero for elements, null if the scale was not compared with any measurement.
 */
export function expectedDeviation(composition: Composition, { byClass, all }: Deviations): number | null {
  const kind = compoundClass(composition);
  return kind === null ? 0 : (byClass[kind] ?? all);
}

/**
 * Standard error of a reaction energy per atom, eV/atom, if the formation energies of its phases had
 * independent errors. Errors of related compounds are similar and partly cancel, so the true error is usually
 * smaller.
 *
 * @param terms every reactant and product with its share of the atoms of its side
 * @returns null if the scale was not compared with any measurement; elements contribute no error
 */
export function reactionSpread(
  terms: Iterable<{ readonly composition: Composition; readonly share: number }>,
  deviations: Deviations,
): number | null {
  let variance = 0;
  for (const { composition, share } of terms) {
    const deviation = expectedDeviation(composition, deviations);
    if (deviation === null) return null;
    variance += (share * SPREAD_OF_MEAN_ABSOLUTE * deviation) ** 2;
  }
  return Math.sqrt(variance);
}

/**
 * Probability that a normally distributed quantity with this mean and standard deviation exceeds the limit. The
 * error function is approximated by Abramowitz & Stegun, 7.1.26 (error below 1.5e-7).
 */
export function probabilityAbove(limit: number, mean: number, spread: number): number {
  if (spread === 0) return mean >= limit ? 1 : 0;
  const z = (mean - limit) / (spread * Math.SQRT2);
  const t = 1 / (1 + 0.3275911 * Math.abs(z));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-z * z)) / 2;
  return z < 0 ? tail : 1 - tail;
}
