export * from './background.ts';
export * from './read-measured-pattern.ts';
export * from './diffraction-error.ts';
export { MAIN_SHARE, type PhaseEvidence } from './identification/evidence.ts';
export {
  type FittedMixture,
  type IdentificationRequest,
  refineMixture,
} from './identification/fitted-mixture.ts';
export * from './identification/identify-phases.ts';
export { reviewMixture, type ReviewedMixture } from './identification/review-mixture.ts';
export * from './identification/weigh-candidates.ts';
export * from './match-report.ts';
export * from './pattern-index.ts';
export * from './pattern-query.ts';
export * from './peaks.ts';
export * from './powder-pattern.ts';
export * from './profile.ts';
export * from './radiation.ts';
export * from './refinement/refine.ts';
export { type RefinementRefusal } from './refinement/measured-points.ts';
export { ISOTYPE_CHANGE } from './refinement/notices.ts';
export * from './refinement/types.ts';
export { INTEGRAL_BREADTH_K, williamsonHallPoint } from './refinement/williamson-hall.ts';
export {
  ARCHIVE_MEMBERS,
  type MeasurementRecord,
} from './instrument/read-instrument-file.ts';
export * from './search-patterns.ts';
export { BOUND_CHUNK, DTW_BAND_CELLS, DTW_SHIFT_STEP, strainPenalty } from './search-candidates.ts';
export { startingStrain } from './starting-strain.ts';
export * from './structure-factors.ts';
