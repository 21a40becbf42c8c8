/** Worker thread: phonon modes from stored force constants. */
import type { PhononModes } from '@unitcell/contract/matdata';
import { fromPymatgenDict } from '@unitcell/crystal';
import type { StoredForceConstants, StructureJson } from '@unitcell/material';
import type { Vec3 } from '@unitcell/numerics';
import { modeMotions } from '@unitcell/potential';

export interface ModesRequest {
  readonly structure: StructureJson;
  readonly constants: StoredForceConstants;
  readonly q: Vec3;
}

export const phononModes = ({ structure, constants, q }: ModesRequest): PhononModes =>
  modeMotions({
    ...constants,
    structure: fromPymatgenDict(structure),
    values: Float64Array.from(constants.values),
  })(q);
