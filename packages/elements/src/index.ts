export * from './constants.ts';
export * from './elements.ts';
export * from './xray-scattering.ts';
