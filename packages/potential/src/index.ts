export * from './elastic-tensor.ts';
export * from './elemental-energies.ts';
export * from './engine.ts';
export { type EquationOfState, equationOfState } from './equation-of-state.ts';
export { fastEngine, type Kernel } from './fast-engine.ts';
export {
  type DipoleCharges,
  type ForceConstants,
  forceConstants,
  phononSupercell,
} from './force-constants.ts';
export * from './phonon-files/abinit-ddb.ts';
export type { FinishedPhonons, FinishedPoint } from './phonon-files/finished.ts';
export * from './phonon-files/materials-project.ts';
export * from './phonon-files/phonopy.ts';
export * from './phonon-files/phonopy-results.ts';
export * from './phonon-files/quantum-espresso.ts';
export * from './model-file.ts';
export * from './phonons.ts';
export * from './potential-error.ts';
export * from './read-model.ts';
export * from './relax.ts';
export * from './thermal-expansion.ts';
export * from './vacancy-hops.ts';
