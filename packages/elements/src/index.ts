export * from './elements.ts';
export * from './neutron-scattering.ts';
export * from './prices.ts';
export * from './xray-scattering.ts';
