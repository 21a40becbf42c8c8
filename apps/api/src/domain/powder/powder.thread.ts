/** Worker thread: calculated powder patterns. */
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { angleGrid, powderPattern, type Probe, profile, type ReflectionForm } from '@unitcell/diffraction';
import { roundTo } from '@unitcell/numerics';

export interface PatternRequest {
  readonly cell: CompactCell;
  readonly formula: string;
  /** Å */
  readonly wavelength: number;
  /** Default: X-rays. */
  readonly probe?: Probe | undefined;
  /** nm */
  readonly crystalliteSizeNm: number;
  /** The cell is scaled by 1 + strain. */
  readonly strain: number;
  readonly twoThetaMaxDeg: number;
  readonly maxReflections: number;
}

export type CalculatedPattern = Pick<MaterialXrd, 'x' | 'y' | 'data'>;

/** No laboratory diffractometer measures in finer steps than 0.02°. */
const STEP_DEG = 0.02;

const formText = ({ hkl, multiplicity }: ReflectionForm): string => `(${hkl.join(' ')}) ×${multiplicity}`;

/** @throws DiffractionError too-many-reflections, unknown-element, bad-structure */
export function calculatedPattern(request: PatternRequest): CalculatedPattern {
  const { cell, formula, wavelength, probe, crystalliteSizeNm, strain, twoThetaMaxDeg, maxReflections } =
    request;
  const strained = { ...cell, lattice: cell.lattice.map((value) => value * (1 + strain)) };
  const { peaks } = powderPattern(fromCompactCell(strained), {
    wavelength,
    probe,
    twoThetaRangeDeg: [0, twoThetaMaxDeg],
    maxReflections,
  });
  const grid = angleGrid(0, twoThetaMaxDeg, STEP_DEG);
  const curve = profile(peaks, { crystalliteSizeNm, wavelength, grid });
  return {
    x: Array.from(grid, (angle) => roundTo(angle, 2)),
    y: Array.from(curve, (value) => roundTo(value, 3)),
    data: [
      {
        name: formula,
        x: peaks.map((peak) => roundTo(peak.twoThetaDeg, 4)),
        y: peaks.map((peak) => roundTo(peak.intensity, 3)),
        text: peaks.map((peak) => `${peak.hkls.map(formText).join(', ')}, d = ${peak.dSpacing.toFixed(4)} Å`),
      },
    ],
  };
}
