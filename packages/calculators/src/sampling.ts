/** Sampling settings that all plane-wave engines share: k-mesh, smearing, number of bands. */
import { reciprocalLattice, type Structure } from '@unitcell/crystal';
import { norm3, type Vec3 } from '@unitcell/numerics';
import type { DataSet, StepRequest } from './calculator.ts';
import { CalculatorError } from './error.ts';
import { PRESETS } from './presets.ts';

// Assumptions before the first run: starting moments, and whether the crystal is a metal. The results of a run
// correct both: vanished moments are dropped, and the gap decides whether the crystal is a metal.

// A self-consistent cycle lowers a moment but rarely raises it, so moments start above their usual values. For
// metals, the moments of the ions would be too large: starting from 2, nickel oscillates in ABINIT.

/** µB. Starting moments in metals. */
const METAL_MOMENTS: Readonly<Record<string, number>> = { V: 2, Cr: 3, Mn: 4, Fe: 3, Co: 2, Ni: 1.5 };

/**
 * µB. Starting moments in compounds that may have a gap: the spin of the divalent ion by Hund's first rule
 * (configurations: C. Kittel, Introduction to Solid State Physics, chapter 11, table 2). With U, NiO loses its
 * moment if the moment starts from 1.5. Co starts from 2 instead of 3: LiCoO₂ reaches its low spin, and CoO its
 * high spin.
 */
const ION_MOMENTS: Readonly<Record<string, number>> = { V: 3, Cr: 4, Mn: 5, Fe: 4, Co: 2, Ni: 2 };

/**
 * A crystal with one of these elements is first assumed to have a gap; all other crystals are assumed to be
 * metals.
 */
export const GAP_FORMERS: ReadonlySet<string> = new Set(
  'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Sb Te I Xe'.split(' '),
);

/** A relaxed crystal is not magnetic if the moments of the cell and of every site are below these, µB. */
export const VANISHING_MOMENT = { cell: 0.05, site: 0.1 } as const;

const elementOf = (site: Structure['sites'][number]): string => site.species[0].element;

export const guessIsMetal = (structure: Structure): boolean =>
  !structure.sites.some((site) => GAP_FORMERS.has(elementOf(site)));

/** The starting moment of each element of a structure, µB; 0 for elements without one. */
export function elementMoments(structure: Structure): (element: string) => number {
  const table = guessIsMetal(structure) ? METAL_MOMENTS : ION_MOMENTS;
  return (element) => table[element] ?? 0;
}

/** Ferromagnetic starting moments, or null if no element of the structure requires spin. */
export function startingMoments(structure: Structure): readonly number[] | null {
  const momentOf = elementMoments(structure);
  const moments = structure.sites.map((site) => momentOf(elementOf(site)));
  return moments.some((moment) => moment > 0) ? moments : null;
}

/**
 * Whether a calculation with spin ended without moments. If the moments of the sites are unknown, the total
 * moment decides, except in antiferromagnets, where it is always zero. If it is unknown, too, they have not vanished.
 */
export const hasVanished = (
  starts: readonly number[],
  magnetization: number | null,
  localMoments: readonly number[],
): boolean =>
  Math.abs(magnetization ?? 0) < VANISHING_MOMENT.cell &&
  localMoments.every((moment) => Math.abs(moment) < VANISHING_MOMENT.site) &&
  (localMoments.length > 0 || (magnetization !== null && starts.every((moment) => moment >= 0)));

/** Gaussian smearing, Ha (68 meV); it is so small that E₀ = F + TS/2 is exact to 1 meV/atom. */
export const SMEARING_HA = 0.0025;

/**
 * Factor by which the mesh of the density of states is denser than that of the energy. It suffices because the
 * density of states is interpolated between k-points.
 */
const DOS_MESH_FACTOR = 1.3;

/** Rounding tolerance: a length this little above an integer number of points adds no further point. */
const MESH_ROUNDING = 0.02;

/** Γ-centred k-mesh: nᵢ = ⌈length · |bᵢ|⌉ with bᵢ in 1/Å without 2π. */
export function kMesh(structure: Structure, lengthAngstrom: number): Vec3 {
  const [a, b, c] = reciprocalLattice(structure.latticeVectors).map((row) =>
    Math.max(1, Math.ceil(lengthAngstrom * norm3(row) - MESH_ROUNDING)),
  );
  return [a, b, c];
}

/** The k-mesh of a step. The mesh for the density of states is denser. */
export function meshOf({ structure, preset, isMetal, step }: StepRequest): Vec3 {
  const { kLength, kLengthMetal } = PRESETS[preset];
  const lengths = isMetal ? kLengthMetal : kLength;
  if (step === 'relax') return kMesh(structure, lengths.relax);
  return kMesh(structure, step === 'dos' ? lengths.static * DOS_MESH_FACTOR : lengths.static);
}

/** @throws CalculatorError `no-data-set` */
export function dataSetOf(request: StepRequest, element: string): DataSet {
  const dataSet = request.dataSets[element];
  if (!dataSet)
    throw new CalculatorError('no-data-set', `no data set of ${element} was given; expected one per element`);
  return dataSet;
}

/** Electrons of the cell outside the atomic cores. */
export const electronCount = (request: StepRequest, { siteElements }: DeckStructure): number =>
  siteElements.reduce((sum, element) => sum + dataSetOf(request, element).valence, 0);

/**
 * Number of bands: all filled bands (with spin, those of the channel with more electrons) and some empty ones;
 * more if empty bands are of interest.
 */
export function bandCount(request: StepRequest, parts: DeckStructure): number {
  const electrons = electronCount(request, parts);
  const moment = (request.moments ?? []).reduce((sum, value) => sum + Math.abs(value), 0);
  const filled = (electrons + Math.min(moment, electrons)) / 2;
  return request.step === 'relax' ? Math.ceil(filled * 1.08) + 3 : Math.ceil(filled * 1.35) + 5;
}

/** Settings of a plane-wave run stored as provenance. */
export const samplingSettings = (request: StepRequest): Readonly<Record<string, unknown>> => ({
  cutoff_ha: PRESETS[request.preset].cutoffHa,
  smearing: 'gaussian',
  smearing_ha: SMEARING_HA,
  ...(request.step === 'bands' ? { k_points: request.kPoints?.length ?? 0 } : { k_mesh: meshOf(request) }),
  spin: request.moments !== null,
  ...(request.hubbardU && Object.keys(request.hubbardU).length > 0 ? { hubbard_u: request.hubbardU } : {}),
  ...(request.hasDispersion ? { dispersion: 'D3(BJ)' } : {}),
  ...(request.workarounds.length > 0 ? { workarounds: request.workarounds } : {}),
});

/** The parts of a structure that every deck needs. */
export interface DeckStructure {
  /** Distinct elements in order of first appearance. */
  readonly elements: readonly string[];
  readonly siteElements: readonly string[];
}

/** @throws CalculatorError `structure` for an empty cell or a site that is not one fully occupied atom */
export function deckStructure(structure: Structure): DeckStructure {
  if (structure.sites.length === 0)
    throw new CalculatorError('structure', 'the cell has no atoms; expected at least one');
  const siteElements = structure.sites.map(({ species }, index) => {
    const [only] = species;
    if (species.length !== 1 || only.occupancy !== 1)
      throw new CalculatorError(
        'structure',
        `site ${index + 1} is partly occupied (${species.map((s) => `${s.element} ${s.occupancy}`).join(', ')}); expected one whole atom`,
      );
    return only.element;
  });
  return { elements: [...new Set(siteElements)], siteElements };
}
