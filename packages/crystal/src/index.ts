export * from './arrangement.ts';
export * from './asymmetric-unit.ts';
export * from './bonds.ts';
export * from './reduce-lattice.ts';
export * from './structure.ts';
export * from './composition.ts';
export * from './error.ts';
export * from './formula.ts';
export * from './hall-symbol.ts';
export * from './io/limits.ts';
export * from './io/read-cif.ts';
export * from './io/read-poscar.ts';
export * from './io/read-structure.ts';
export * from './io/read-structure-text.ts';
export * from './io/read-abinit-volume.ts';
export * from './io/read-volume.ts';
export {
  type CifProvenance,
  type CifSetting,
  type CifSymmetry,
  type WriteCifOptions,
  writeCif,
} from './io/write-structure.ts';
export { writeCube } from './io/write-structure.ts';
export * from './io/write-structure.ts';
export * from './io/text.ts';
export { type CifBlock, readCifBlocks, tableWith } from './io/cif-blocks.ts';
export { parseFileNumber, plainText } from './io/text.ts';
export * from './lattice.ts';
export * from './neighbours.ts';
export * from './primitive-cell.ts';
export * from './pymatgen-dict.ts';
export * from './space-group-setting.ts';
export * from './symmetry-operation.ts';
