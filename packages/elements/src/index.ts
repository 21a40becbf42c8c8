export * from './elements.ts';
export * from './xray-scattering.ts';
