/** Input of the figure of a phase diagram. */
import type { Diagram, Phase } from '../view-model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface PhaseFigureInput {
  readonly diagram: Diagram;
  /** Unstable phases to draw. */
  readonly unstable: readonly Phase[];
  readonly isUnstableShown: boolean;
  readonly highlighted: Phase | null;
  /** The material of the page, or the one the visitor came from. */
  readonly own: Phase | null;
  /** Size of the drawing without its margins, px. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly placed: (Place & { readonly label: string }) | null;
  readonly texts: {
    readonly stable: string;
    readonly unstable: string;
    readonly placed: string;
    readonly own: string;
    /** Axis title of a binary, with `{formula}` for the mixture of its components. */
    readonly fractionAxis: string;
    readonly shareAxis: string;
    readonly energyAxis: string;
    readonly aboveHull: string;
    readonly formation: string;
    /** For the phases a tooltip omits, with `{n}` for their number. */
    readonly more: string;
    /** Scale and release. */
    readonly provenance: string;
  };
}
