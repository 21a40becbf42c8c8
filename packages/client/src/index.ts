/** Client of a Unitcell site, typed by the contract. */
export type { CallAnswer, CallRequest, CallResponse } from '@unitcell/contract';
export * from '@unitcell/contract/calls';
export type { AboutData, Lists, Person } from '@unitcell/contract/about';
export type { Collection, CollectionDetail, SavedSearch } from '@unitcell/contract/collections';
export type {
  DesignCandidate,
  DesignCounts,
  DesignRequest,
  DesignRun,
  DesignStatus,
} from '@unitcell/contract/design';
export type { WindowDetail, WindowRange, WindowRow, WindowSearchRequest } from '@unitcell/contract/ecwindow';
export type { InterfaceReactant, InterfaceResult, InterfaceRow } from '@unitcell/contract/interface-reaction';
export type {
  BrillouinZoneData,
  ComparedProperty,
  ElementStatistic,
  Facet,
  MaterialDetail,
  MaterialPhonons,
  MaterialRecord,
  MaterialRow,
  MaterialXrd,
  MethodKey,
  PhononModes,
  RecordComparison,
  RelatedMaterial,
  RelatedMaterials,
  ScreenColumn,
  ScreenColumns,
  ScreenedMaterial,
  ScreenRequest,
  SearchColumn,
  SectionSource,
  SourceKind,
  StatedGap,
} from '@unitcell/contract/matdata';
export type {
  ChemicalPotentials,
  Completeness,
  EnergyScaleChoice,
  EnergyScales,
  ExpectedError,
  HullLine,
  LimitingPhaseAnswer,
  MissingCompound,
  PhaseDiagramData,
  PlacedCompound,
  ScaleFailure,
  StablePhases,
  UnstablePhases,
} from '@unitcell/contract/phase-diagram';
export type { EnergyScale, ListCompleteness } from '@unitcell/contract/common';
export type { PredictedInterval, PredictedValues, PredictionResult } from '@unitcell/contract/prediction';
export type { PublishedRelease, ReleaseFile } from '@unitcell/contract/matdata';
export type {
  CalculationService,
  Dashboard,
  PipelineStep,
  ShownStructure,
  SubmissionDetail,
  SubmissionQuota,
  SubmissionRow,
  SubmissionStatus,
  SubmitOutcome,
  Submitted,
  UploadedStructure,
} from '@unitcell/contract/run4u';
export type {
  EllinghamLineAnswer,
  EllinghamResult,
  PourbaixRegionAnswer,
  PourbaixResult,
  PourbaixSpeciesAnswer,
  ReactionBalance,
  ReactionCurve,
  ReactionResult,
  ReactionSpecies,
  ReactionState,
} from '@unitcell/contract/stability';
export type { BandData, LatticeStructure } from '@unitcell/contract/tight-binding';
export type { TopologyData } from '@unitcell/contract/matdata';
export type {
  ExplainedPhase,
  MatchHit,
  MatchProgress,
  MatchResult,
  MatchRow,
  MatchWay,
  ReceivedPattern,
  ReferencePattern,
  RestResult,
  WithoutBackground,
  XrdConfidence,
  XrdData,
  XrdPeak,
} from '@unitcell/contract/xrd';
export * from './client.ts';
export type { OnScale, Phase, WindowConditions } from './diagrams.ts';
export type { FindOptions, ScreenOptions, ScreenPage } from './materials.ts';
export type { MatchOptions, RefineOptions, RefinePhase } from './patterns.ts';
export * from './connection.ts';
export * from './snippets.ts';
