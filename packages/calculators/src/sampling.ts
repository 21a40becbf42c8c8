/** What every plane-wave engine asks of a step in the same way: k-mesh, smearing, number of bands. */
import { reciprocalLattice, type Structure } from '@unitcell/crystal';
import { norm3, type Vec3 } from '@unitcell/numerics';
import type { DataSet, StepRequest } from './calculator.ts';
import type { DeckStructure } from './deck-structure.ts';
import { CalculatorError } from './error.ts';
import { PRESETS } from './presets.ts';

/** Gaussian smearing, Ha (68 meV): small enough that E₀ = F + TS/2 is exact to 1 meV/atom. */
export const SMEARING_HA = 0.0025;

/** The density of states interpolates between k-points: a mesh this much denser than that of the energy is enough. */
const DOS_MESH_FACTOR = 1.3;

/** Lengths this close below a whole number of points do not ask for one more. */
const MESH_ROUNDING = 0.02;

/** Γ-centred k-mesh: nᵢ = ⌈length · |bᵢ|⌉ with bᵢ in 1/Å without 2π. */
export function kMesh(structure: Structure, lengthAngstrom: number): Vec3 {
  const [a, b, c] = reciprocalLattice(structure.latticeVectors).map((row) =>
    Math.max(1, Math.ceil(lengthAngstrom * norm3(row) - MESH_ROUNDING)),
  );
  return [a, b, c];
}

/** The mesh of a step; the density of states gets a denser one. */
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

/** Bands: filled ones (with spin, of the fuller channel) and some empty ones; more where empty ones are looked at. */
export function bandCount(request: StepRequest, { siteElements }: DeckStructure): number {
  const electrons = siteElements.reduce((sum, element) => sum + dataSetOf(request, element).valence, 0);
  const moment = (request.moments ?? []).reduce((sum, value) => sum + Math.abs(value), 0);
  const filled = (electrons + Math.min(moment, electrons)) / 2;
  return request.step === 'relax' ? Math.ceil(filled * 1.08) + 3 : Math.ceil(filled * 1.35) + 5;
}

/** Settings of a plane-wave run that are worth keeping as provenance. */
export const samplingSettings = (request: StepRequest): Readonly<Record<string, unknown>> => ({
  cutoff_ha: PRESETS[request.preset].cutoffHa,
  smearing: 'gaussian',
  smearing_ha: SMEARING_HA,
  ...(request.step === 'bands' ? { k_points: request.kPoints?.length ?? 0 } : { k_mesh: meshOf(request) }),
  spin: request.moments !== null,
  ...(request.workarounds.length > 0 ? { workarounds: request.workarounds } : {}),
});
