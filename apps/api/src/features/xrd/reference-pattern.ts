/** The calculated pattern of a material as it is laid over a measurement. Pure; runs in a worker thread. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { angleGrid, powderPattern, profile, type ReflectionForm } from '@unitcell/diffraction';
import { type Settled, settle } from './settle.ts';

export interface ReferenceRequest {
  readonly cell: CompactCell;
  readonly formula: string;
  /** Å */
  readonly wavelength: number;
  /** nm */
  readonly crystalliteSizeNm: number;
  /** The cell is scaled by 1 + strain. */
  readonly strain: number;
  readonly twoThetaMaxDeg: number;
}

export interface DrawnReference {
  readonly x: number[];
  readonly y: number[];
  readonly data: { name: string; x: number[]; y: number[]; text: string[] }[];
}

/** Finer than 0.02° no laboratory measures. */
const STEP_DEG = 0.02;
const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const formText = ({ hkl, multiplicity }: ReflectionForm): string => `(${hkl.join(' ')}) ×${multiplicity}`;

export function referencePattern(request: ReferenceRequest): Settled<DrawnReference> {
  const { cell, formula, wavelength, crystalliteSizeNm, strain, twoThetaMaxDeg } = request;
  return settle(() => {
    const strained = { ...cell, lattice: cell.lattice.map((value) => value * (1 + strain)) };
    const { peaks } = powderPattern(fromCompactCell(strained), {
      wavelength,
      twoThetaRangeDeg: [0, twoThetaMaxDeg],
    });
    const grid = angleGrid(0, twoThetaMaxDeg, STEP_DEG);
    const curve = profile(peaks, { crystalliteSizeNm, wavelength, grid });
    return {
      x: Array.from(grid, (angle) => round(angle, 2)),
      y: Array.from(curve, (value) => round(value, 3)),
      data: [
        {
          name: formula,
          x: peaks.map((peak) => round(peak.twoThetaDeg, 4)),
          y: peaks.map((peak) => round(peak.intensity, 3)),
          text: peaks.map(
            (peak) => `${peak.hkls.map(formText).join(', ')}, d = ${peak.dSpacing.toFixed(4)} Å`,
          ),
        },
      ],
    };
  });
}
