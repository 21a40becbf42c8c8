export * from './linear-algebra-3.ts';
