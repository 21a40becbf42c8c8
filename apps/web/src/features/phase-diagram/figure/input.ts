/** What the drawing of a phase diagram is made from. */
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
  /** The material whose page the diagram is on, or that led to it. */
  readonly own: Phase | null;
  /** Size of the drawing without its margins, px. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly placed: (Place & { readonly label: string }) | null;
  readonly texts: {
    readonly stable: string;
    readonly unstable: string;
    readonly placed: string;
    readonly own: string;
    /** Title of the axis of a binary, with `{formula}` for its components as a mixture. */
    readonly fractionAxis: string;
    readonly shareAxis: string;
    readonly energyAxis: string;
    readonly aboveHull: string;
    readonly formation: string;
    /** Of what a tooltip leaves out, with `{n}` for their number. */
    readonly more: string;
    /** Scale and release. */
    readonly provenance: string;
  };
}
