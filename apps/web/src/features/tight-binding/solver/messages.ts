/** Messages between the page and its worker. */
import type {
  BandChernNumber,
  DiracPoint,
  FermiLevel,
  FlatBandLevel,
  LocalisedState,
  Net,
  SecondNeighbourRule,
  Vec2,
} from '@unitcell/tight-binding';

/** The model: a net and its parameters. */
export interface ModelSettings {
  readonly net: Net;
  readonly t1: number;
  readonly t2: number;
  /** One energy per kind of site. */
  readonly onsite: readonly number[];
  readonly rule: SecondNeighbourRule;
  readonly fluxRad: number;
}

/** A point of the chart: a band and the position of its k on the path. */
export interface BandPoint {
  readonly band: number;
  readonly point: number;
}

export interface BandsRequest {
  readonly model: ModelSettings;
  /** Occupied states per cell. */
  readonly filling: number;
  readonly selected: BandPoint | null;
  /** False while a slider moves: the density of states then uses a coarser grid. */
  readonly isSettled: boolean;
}

export interface Amplitude {
  readonly probability: number;
  readonly phaseRad: number;
}

export interface BlochFigure {
  readonly at: BandPoint;
  readonly k: Vec2;
  readonly energy: number;
  readonly amplitudes: readonly Amplitude[];
}

export interface BandsAnswer {
  readonly model: ModelSettings;
  readonly kPoints: readonly Vec2[];
  readonly kDist: readonly number[];
  readonly hspNodes: readonly number[];
  readonly hspLabels: readonly string[];
  readonly bands: readonly (readonly number[])[];
  readonly dos: { readonly energies: readonly number[]; readonly density: readonly number[] };
  readonly filling: number;
  readonly fermi: FermiLevel;
  readonly state: BlochFigure | null;
  /** Time for the bands alone, ms. */
  readonly bandsMs: number;
}

export interface FlatBand extends FlatBandLevel {
  readonly state: LocalisedState | null;
}

export interface ReportAnswer {
  readonly model: ModelSettings;
  readonly flatBands: readonly FlatBand[];
  readonly diracPoints: readonly DiracPoint[];
  readonly chern: readonly BandChernNumber[];
}

export type WorkerRequest =
  | { readonly kind: 'bands'; readonly request: BandsRequest }
  | { readonly kind: 'report'; readonly model: ModelSettings };
export type WorkerAnswer =
  | { readonly kind: 'bands'; readonly answer: BandsAnswer }
  | { readonly kind: 'report'; readonly answer: ReportAnswer }
  | { readonly kind: 'failed'; readonly message: string };
