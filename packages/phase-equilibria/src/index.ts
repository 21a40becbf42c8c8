export * from './aqueous-species.ts';
export * from './chemical-potential-region.ts';
export { compoundSpace, type PhaseEntry } from './entries.ts';
export * from './decomposition.ts';
export * from './error.ts';
export {
  buildCompoundHull,
  buildGrandPotentialHull,
  buildHull,
  energiesAboveHull,
  energyAboveHull,
  formationEnergyPerAtom,
  type Hull,
  type HullReference,
  relativeChemicalPotential,
  stableEntries,
} from './hull.ts';
export * from './electrochemical-window.ts';
export * from './ellingham.ts';
export {
  type GasPart,
  gasPotentials,
  gasTemperature,
  type ReservoirGas,
  TEMPERATURE_LIMITS,
} from './gas-reservoir.ts';
export * from './insertion-electrode.ts';
export * from './interface-reaction.ts';
export * from './measured-substances.ts';
export * from './missing-phases.ts';
export * from './mp2020-correction.ts';
export * from './phase-diagram-geometry.ts';
export * from './pourbaix.ts';
export * from './reaction-energy.ts';
export {
  dependentPotential,
  type PolygonCorner,
  regionPolygon,
  type RegionPlane,
} from './region-polygon.ts';
export * from './scale-error.ts';
export * from './temperature-hull.ts';
