/** The selected point of a Pourbaix diagram: inputs for pH and potential, and the species that are stable there. */
import type { PourbaixResult } from '@unitcell/contract/stability';
import { formulaText } from '../../../components/formula.tsx';
import { NumberBox } from '../../../components/number-box.tsx';
import { useIntervalText } from '../../../components/own-crystal.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { PourbaixInput } from '../pourbaix-address.ts';
import { readPoint, regionText } from '../pourbaix-figure.ts';
import { pourbaixTexts } from '../pourbaix-texts.ts';
import classes from './pourbaix.module.css';

export interface ReadPoint {
  readonly ph: number;
  /** V */
  readonly volts: number;
}

interface PourbaixReadingProps {
  readonly result: PourbaixResult;
  /** Energy of a compound with its interval, if it is predicted. */
  readonly energy: PourbaixInput['compoundEnergy'];
  /** The point kept in the address. */
  readonly kept: ReadPoint;
  /** The point under the pointer. */
  readonly pointed: ReadPoint | null;
  readonly onChange: (at: ReadPoint) => void;
}

export function PourbaixReading({ result, energy, kept, pointed, onChange }: PourbaixReadingProps) {
  const { t } = useTexts(pourbaixTexts);
  const { window: shown, compound } = result;
  const intervalText = useIntervalText();
  const at = pointed ?? kept;
  const { region, decomposition, products } = readPoint(result, at.ph, at.volts);
  const boxes = [
    { name: 'ph', min: shown.ph_min, max: shown.ph_max, step: 0.5, decimals: 2 },
    { name: 'volts', min: shown.potential_min, max: shown.potential_max, step: 0.1, decimals: 3 },
  ] as const;
  return (
    <div className={`uc-wrap ${classes.reading}`}>
      {boxes.map(({ name, min, max, step, decimals }) => (
        <NumberBox
          key={name}
          className={classes.point}
          label={t(name)}
          value={kept[name]}
          min={min}
          max={max}
          step={step}
          decimalScale={decimals}
          onChange={(value) => {
            if (value !== null && value >= min && value <= max) onChange({ ...kept, [name]: value });
          }}
        />
      ))}
      <p className={classes.stable}>
        <span className="uc-note">
          pH {formatNumber(at.ph, { decimals: 2 })}, {formatNumber(at.volts, { decimals: 3 })} V
        </span>
        <strong>{region === undefined ? '' : regionText(result, region)}</strong>
        {region && <span>{t(region.kind)}</span>}
        {compound !== null && decomposition !== null && (
          <span>
            {t('decomposition', {
              formula: formulaText(compound.formula),
              value: formatNumber(Math.abs(decomposition) < 5e-4 ? 0 : decomposition, { decimals: 3 }),
            })}
            {energy !== null &&
              energy.low < energy.high &&
              t('interval', {
                interval: intervalText({
                  low: decomposition + energy.low - energy.value,
                  high: decomposition + energy.high - energy.value,
                }),
              })}
            {decomposition >= 5e-4 && products && t('products', { products: regionText(result, products) })}
          </span>
        )}
      </p>
    </div>
  );
}
