/** The powder pattern of a stored cell as the detail page draws it. Pure; runs in a worker thread. */
import type { MaterialXrd } from '@unitcell/contract';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import {
  angleGrid,
  DiffractionError,
  type DiffractionErrorCode,
  powderPattern,
  profile,
  type ReflectionForm,
} from '@unitcell/diffraction';

export interface PatternRequest {
  readonly cell: CompactCell;
  readonly formula: string;
  /** Å */
  readonly wavelength: number;
  /** nm */
  readonly crystalliteSizeNm: number;
}

/** Why a crystal has no pattern here: a thrown error would lose its class on the way out of the thread. */
export interface PatternRefusal {
  readonly isRefused: true;
  readonly code: DiffractionErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The page's slider spans 0 to 90°; finer than 0.02° no laboratory measures. */
const GRID = { from: 0, to: 90, step: 0.02 } as const;
/** Digits kept of angles and intensities in the answer: a hundredth of what a diffractometer resolves. */
const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const formText = ({ hkl, multiplicity }: ReflectionForm): string => `(${hkl.join(' ')}) ×${multiplicity}`;

export function materialPattern(request: PatternRequest): MaterialXrd | PatternRefusal {
  try {
    return drawPattern(request);
  } catch (error) {
    if (!(error instanceof DiffractionError)) throw error;
    const { code, message, details } = error;
    return { isRefused: true, code, message, details };
  }
}

function drawPattern({ cell, formula, wavelength, crystalliteSizeNm }: PatternRequest): MaterialXrd {
  const { peaks } = powderPattern(fromCompactCell(cell), {
    wavelength,
    twoThetaRangeDeg: [GRID.from, GRID.to],
  });
  const grid = angleGrid(GRID.from, GRID.to, GRID.step);
  const curve = profile(peaks, { crystalliteSizeNm, wavelength, grid });
  const highest = Math.max(...curve, Number.MIN_VALUE);
  return {
    x: Array.from(grid, (angle) => round(angle, 2)),
    y: Array.from(curve, (value) => round((100 * value) / highest, 3)),
    data: [
      {
        name: formula,
        x: peaks.map((peak) => round(peak.twoThetaDeg, 4)),
        y: peaks.map((peak) => round(peak.intensity, 3)),
        text: peaks.map((peak) => `${peak.hkls.map(formText).join(', ')}, d = ${peak.dSpacing.toFixed(4)} Å`),
      },
    ],
    wavelength,
    crystal_size: crystalliteSizeNm,
  };
}
