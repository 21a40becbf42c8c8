export * from './elements.ts';
