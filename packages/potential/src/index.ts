export * from './model-file.ts';
export * from './potential-error.ts';
export * from './read-model.ts';
