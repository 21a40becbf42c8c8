/** A material as it was read from a source, before symmetry: the one form all sources are brought to. */
import type { Structure } from '@unitcell/crystal';
import type { Given } from './given.ts';
import type { Properties } from './properties.ts';

export interface EnergyOnScale {
  readonly functional: string;
  /** Total energy, eV/atom. */
  readonly energyPerAtom: number | null;
  /** As published, eV/atom. */
  readonly formationEnergyPerAtom: number | null;
  readonly source: Readonly<Record<string, unknown>>;
}

export interface MaterialDraft {
  /** null: the database chooses one. */
  readonly structId: number | null;
  readonly structure: Structure;
  /** What the source says, of the cell of `structure`. */
  readonly given: Given;
  /** The first is the material's own scale. */
  readonly energies: readonly EnergyOnScale[];
  /** What was run or measured, shown under More Information. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly properties: Properties<'given'>;
  /** Axes that the tensors came in, when not those of the cell: they are turned once its symmetry is known. */
  readonly tensorFrame?: 'conventional' | 'ieee';
  /** Tensors without the symmetry of the crystal in those axes are left out, with a word in the provenance; else the draft is refused. */
  readonly leaveOutTensorsOfOtherAxes?: boolean;
}
