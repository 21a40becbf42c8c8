export * from './diffraction-error.ts';
export * from './packed-pattern.ts';
export * from './powder-pattern.ts';
export * from './radiation.ts';
export * from './structure-factors.ts';
