export * from './elements.ts';
export * from './scattering.ts';
export * from './prices.ts';
