export * from './xray-scattering.ts';
export * from './elements.ts';
