/**
 * A short key to look for possible matches by, in a database column or a map, before anything is compared.
 * Structures with different keys cannot match; equal keys mean that a comparison is worth while.
 */
import type { PreparedStructure } from './prepare-structure.ts';

export interface StructureFingerprint {
  /** Species and their numbers in the primitive cell: `Na1 Cl1` sorted by number, then name. */
  readonly key: string;
  /** The numbers alone, for matching with species renamed: `1 1`. */
  readonly anonymousKey: string;
}

/** The fingerprint of a prepared structure. */
export function structureFingerprint({ classKeys, classStart }: PreparedStructure): StructureFingerprint {
  const sizes = classKeys.map((_key, group) => classStart[group + 1] - classStart[group]);
  return {
    key: classKeys.map((key, group) => `${key}${sizes[group]}`).join(' '),
    anonymousKey: sizes.join(' '),
  };
}
