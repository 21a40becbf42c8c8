/**
 * A crystal as JSON, the one form in which structures travel: `toPymatgenDict` and `fromPymatgenDict` of the crystal
 * package write and read it, the latter with everything checked.
 */
import type { PymatgenStructure } from '@unitcell/crystal';

/** An interface and not an alias: declarations of the contract then name this package, the only one they depend on. */
export interface StructureJson extends PymatgenStructure {}
