export * from './engine.ts';
export { fastEngine, type Kernel } from './fast-engine.ts';
export * from './kernel-shape.ts';
export * from './model-file.ts';
export * from './potential-error.ts';
export * from './read-model.ts';
