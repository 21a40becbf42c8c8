/** What the pipeline needs of the catalogue; worker.ts hands it in. */
import type { BandStructureJson, DensityOfStatesJson } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';

/** A finished calculation, ready to become a material. */
export interface CalculatedMaterial {
  readonly structId: number;
  /** Primitive standard cell. */
  readonly structure: Structure;
  /** Name of the energy scale. */
  readonly energyScale: string;
  /** eV/atom, extrapolated to zero smearing. */
  readonly energyPerAtom: number;
  /** eV */
  readonly bandGap: number;
  readonly bandGapType: 'direct' | 'indirect' | 'metal';
  readonly fermiEnergy: number;
  /** µB of `structure`; null for a calculation without spin. */
  readonly totalMagnetization: number | null;
  readonly bands: BandStructureJson;
  readonly dos: DensityOfStatesJson;
  readonly provenance: Readonly<Record<string, unknown>>;
  /** `run4u-17`: the same submission stored twice is stored once. */
  readonly sourceId: string;
}

export type Stored =
  | { readonly kind: 'stored'; readonly structId: number }
  /** The catalogue does not take it; the sentence says why. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface CatalogueDoor {
  /** Stores a material by the path of every import, and derives its hulls. Doing it again changes nothing. */
  store(material: CalculatedMaterial): Promise<Stored>;
}
