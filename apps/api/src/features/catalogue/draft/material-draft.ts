/** A material as it was read from a source, before symmetry: the one form all sources are brought to. */
import type { ImportLine } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';

export interface EnergyOnScale {
  readonly functional: string;
  /** Total energy, eV/atom. */
  readonly energyPerAtom: number | null;
  /** As published, eV/atom. */
  readonly formationEnergyPerAtom: number | null;
  readonly source: Readonly<Record<string, unknown>>;
}

/** Results that are stored as they come and shown in sections of the detail page. */
export type DraftProperties = Pick<
  ImportLine,
  'elastic_tensor' | 'dielectric' | 'piezoelectric_total' | 'topology' | 'bands' | 'dos'
>;

export interface MaterialDraft {
  readonly structId: number | null;
  readonly structure: Structure;
  /** The first is the material's own scale. */
  readonly energies: readonly EnergyOnScale[];
  /** eV */
  readonly bandGap: number | null;
  readonly bandGapType: string | null;
  readonly fermiEnergy: number | null;
  /** µB of `structure` */
  readonly totalMagnetization: number | null;
  readonly isHubbard: boolean;
  readonly names: { readonly en: string | null; readonly zh: string | null };
  readonly source: {
    readonly name: string;
    readonly id: string;
    readonly licence: string;
    readonly url: string | null;
  };
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly properties: DraftProperties;
}

/** A source unit that cannot become a material; the message names the cause. */
export class RefusedUnit extends Error {
  override readonly name = 'RefusedUnit';
}

export const NO_NAMES = { en: null, zh: null } as const;
