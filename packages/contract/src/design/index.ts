/** The calls of design. */
import type { Call } from '../define-call.ts';
import { cancelDesign, designStructure, getDesign, listDesigns, startDesign } from './design-calls.ts';

export * from './design-calls.ts';
export * from './design-shapes.ts';

export const designCalls: readonly Call[] = [
  startDesign,
  listDesigns,
  getDesign,
  cancelDesign,
  designStructure,
];
