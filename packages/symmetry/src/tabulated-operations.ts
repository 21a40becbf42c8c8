/** The operations International Tables list for a setting, decoded once from its Hall symbol. */
import { operationsFromHallSymbol, type SymmetryOperation } from '@unitcell/crystal';
import type { SpaceGroup } from './symmetry-dataset.ts';

const decoded = new Map<string, readonly SymmetryOperation[]>();

/** All operations of a tabulated setting, centring translations included; the identity comes first. */
export function tabulatedOperations({ hallSymbol }: SpaceGroup): readonly SymmetryOperation[] {
  let operations = decoded.get(hallSymbol);
  if (!operations) {
    operations = operationsFromHallSymbol(hallSymbol);
    decoded.set(hallSymbol, operations);
  }
  return operations;
}
