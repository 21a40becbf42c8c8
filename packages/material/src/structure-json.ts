/**
 * A crystal as JSON, the one form in which structures travel: `toPymatgenDict` and `fromPymatgenDict` of the crystal
 * package write and read it, the latter with everything checked.
 */
import type { PymatgenStructure } from '@unitcell/crystal';

export type StructureJson = PymatgenStructure;
