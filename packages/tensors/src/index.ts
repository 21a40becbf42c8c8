export * from './electric-tensors.ts';
export * from './elastic-moduli.ts';
export * from './rotate-tensors.ts';
export * from './tensor-error.ts';
export { complianceOf, type Voigt6 } from './voigt.ts';
