/** The powder pattern of silicon (a = 5.431 Å), computed here with the same code as everywhere. */
import { orderedSite, type Structure } from '@unitcell/crystal';
import { powderPattern } from '@unitcell/diffraction';
import { useMemo } from 'react';
import { useTexts } from '../../../../i18n/texts.ts';
import { aboutTexts } from '../../texts.ts';
import classes from '../home.module.css';
import { Frame, scaleOf } from './frame.tsx';

const A = 5.431;
const FCC = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const SILICON: Structure = {
  latticeVectors: [
    [A, 0, 0],
    [0, A, 0],
    [0, 0, A],
  ],
  sites: [0, 0.25].flatMap((shift) =>
    FCC.map(([x, y, z]) => orderedSite('Si', [x + shift, y + shift, z + shift])),
  ),
};

const scale = scaleOf([20, 90], [0, 108]);

export function SiliconPattern() {
  const { t } = useTexts(aboutTexts);
  const { peaks } = useMemo(() => powderPattern(SILICON), []);
  const shown = peaks.filter((peak) => peak.twoThetaDeg > 20);
  return (
    <Frame
      scale={scale}
      label={t('figXrd')}
      xTicks={[20, 40, 60, 80].map((at) => ({ at, text: String(at) }))}
      yTicks={[0, 50, 100].map((at) => ({ at, text: String(at) }))}
      xName={t('axisTwoTheta')}
      yName={t('axisIntensity')}
    >
      {shown.map((peak) => (
        <g key={peak.twoThetaDeg}>
          <path
            d={`M${scale.x(peak.twoThetaDeg)} ${scale.y(0)}V${scale.y(peak.intensity)}`}
            className={classes.line}
          />
          {peak.intensity > 20 && peak.twoThetaDeg < 80 && (
            <text x={scale.x(peak.twoThetaDeg) + 5} y={scale.y(peak.intensity) + 9} className={classes.note}>
              {peak.hkls[0]?.hkl.map((index) => Math.abs(index)).join('')}
            </text>
          )}
        </g>
      ))}
    </Frame>
  );
}
