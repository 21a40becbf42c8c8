/**
 * A crystal uploaded by the visitor: reads the file, predicts the formation energy, and keeps formula and energy in the
 * address.
 */
import { IconUpload } from '@tabler/icons-react';
import { predict } from '@unitcell/contract/calls';
import type { PredictedInterval } from '@unitcell/contract/prediction';
import { MAX_PREDICT_TEXT } from '@unitcell/contract/prediction/rules';
import { type DragEvent, type ReactNode, useState } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { answerTo, ApiError } from '../lib/api-client.ts';
import { formatNumber } from '../lib/format.ts';
import { withScale } from './energy-scale/energy-scale.tsx';
import { formulaText } from './formula.tsx';
import { Notice } from './notice.tsx';
import classes from './panel.module.css';

export const ownCrystalTexts = defineTexts('own-crystal', {
  choose: ['Choose or drop a CIF or POSCAR', '选择或拖入 CIF 或 POSCAR 文件'],
  tooLarge: ['{{name}} is larger than 200 KB.', '{{name}} 超过 200 KB。'],
  reading: ['Reading {{name}} and predicting its energy…', '正在读取 {{name}} 并预测其能量…'],
  predicted: [
    'Predicted formation energy {{energy}} eV/atom, 90 % interval {{interval}}.',
    '预测形成能 {{energy}} eV/atom，90 % 区间 {{interval}}。',
  ],
  toRange: ['{{low}} to {{high}}', '{{low}} 至 {{high}}'],
  known: [
    '{{formula}} has the structure of a material in the database: its entry is used, not a prediction.',
    '{{formula}} 的结构与数据库中的材料相同：使用数据库中的数据，不作预测。',
  ],
  openKnown: ['Open material #{{id}}', '打开材料 #{{id}}'],
});

export interface OwnCrystal {
  readonly formula: string;
  /** Predicted formation energy; null for an element, or if only the composition is known. */
  readonly energy: PredictedInterval | null;
  /** The material of the catalogue with this structure; null if there is none. */
  readonly structId: number | null;
  /** Why there is no prediction; empty if there is one. */
  readonly problem: string;
}

/** A formula with its predicted formation energy. */
export interface PlacedCrystal {
  readonly formula: string;
  readonly energy: PredictedInterval;
  /** The material of the catalogue with this structure; null if there is none. */
  readonly structId: number | null;
}

/** `-1.77,-1.8,-1.74`: value and ends of the interval, eV/atom; only the value if the interval has no width. */
export const energyText = ({ value, low, high }: PredictedInterval): string =>
  low < high ? `${value},${low},${high}` : String(value);

/** Null unless the text is one number, or three numbers with low ≤ value ≤ high. */
export function readEnergyText(text: string): PredictedInterval | null {
  const [value = Number.NaN, low = value, high = value] = text.split(',').map((part) => Number(part || 'x'));
  return low <= value && value <= high && Number.isFinite(high - low) ? { value, low, high } : null;
}

/** @throws Error with a sentence if the file holds no crystal */
export async function readOwnCrystal(file: File): Promise<OwnCrystal> {
  const text = await file.text();
  try {
    const made = await answerTo(predict, { structure: text, file_name: file.name });
    const { formula, struct_id: structId, formation_energy_per_atom: energy } = made;
    const isElement = energy.low === 0 && energy.high === 0;
    return { formula, structId, energy: isElement ? null : energy, problem: '' };
  } catch (error) {
    // The server refused the file, but the composition may still be readable.
    if (!(error instanceof ApiError) || ![200, 400].includes(error.status)) throw error;
    const { formulaOfText } = await import('./formula-of-text.ts');
    try {
      return {
        formula: formulaOfText(text, file.name),
        structId: null,
        energy: null,
        problem: error.message,
      };
    } catch {
      throw error;
    }
  }
}

/** `−1.8 to −1.74` */
export function useIntervalText(): (interval: Pick<PredictedInterval, 'low' | 'high'>) => string {
  const { t } = useTexts(ownCrystalTexts);
  return ({ low, high }) => t('toRange', { low: formatNumber(low), high: formatNumber(high) });
}

export function PredictedEnergy({ energy }: { readonly energy: PredictedInterval }) {
  const { t } = useTexts(ownCrystalTexts);
  const intervalText = useIntervalText();
  return t('predicted', { energy: formatNumber(energy.value), interval: intervalText(energy) });
}

/** Says that a crystal is in the catalogue, with a link to its entry. */
export function KnownCrystal({
  formula,
  structId,
  scale,
}: {
  readonly formula: string;
  readonly structId: number;
  readonly scale: string | null;
}) {
  const { t } = useTexts(ownCrystalTexts);
  return (
    <>
      {t('known', { formula: formulaText(formula) })}{' '}
      <a href={withScale(`/matdatades/${structId}`, scale)} target="_blank" rel="noopener">
        {t('openKnown', { id: structId })}
      </a>
    </>
  );
}

interface CrystalDropProps {
  /** Label of the button; names the field where there are several. */
  readonly label?: string;
  readonly onFile: (file: File) => void;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** An area onto which a crystal's file can be dropped, with a button that opens the file chooser. */
export function CrystalDrop({ label, onFile, className = '', children }: CrystalDropProps) {
  const { t } = useTexts(ownCrystalTexts);
  const [isOver, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const take = (file: File | undefined): void => {
    if (!file) return;
    const isTooLarge = file.size > MAX_PREDICT_TEXT;
    setTooLarge(isTooLarge ? file.name : null);
    if (!isTooLarge) onFile(file);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // Keyboard users use the button inside; dropping is for the mouse.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`${classes.smallDrop} ${className}`}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      {children}
      {tooLarge !== null && <Notice kind="problem">{t('tooLarge', { name: tooLarge })}</Notice>}
      <label className={`uc-line uc-hint ${classes.smallChoose}`}>
        <IconUpload size={14} aria-hidden="true" />
        {label ?? t('choose')}
        <input
          className="uc-visually-hidden"
          type="file"
          accept=".cif,.mcif,.vasp,.poscar,.txt"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // Reset the input, so that choosing the same file again fires a change event.
            event.currentTarget.value = '';
            take(file);
          }}
        />
      </label>
    </div>
  );
}
