/** A condition in the words of the page. */
import { useTexts } from '../../../i18n/texts.ts';
import type { Chip } from './conditions.ts';
import { useFieldUnit } from './calculated.tsx';
import { fieldLabel, flagLabel, optionLabel } from './rail-fields.ts';
import { screenTexts } from './texts.ts';

/** With a true minus sign. */
const shown = (value: number | null): string => String(value).replace('-', '\u2212');

export function useChipText(): (chip: Chip) => string {
  const { t, language } = useTexts(screenTexts);
  const unitOf = useFieldUnit();
  return (chip) => {
    switch (chip.kind) {
      case 'element':
        return `${t(chip.mode)} ${chip.symbol}`;
      case 'range': {
        const { from, to } = chip.range;
        const name = fieldLabel(chip.property, language);
        const unit = unitOf(chip.property);
        const ends =
          from === to
            ? `= ${shown(from)}`
            : from === null
              ? `≤ ${shown(to)}`
              : to === null
                ? `≥ ${shown(from)}`
                : `${shown(from)}–${shown(to)}`;
        return `${name} ${ends} ${unit}`.trimEnd();
      }
      case 'choice':
        return optionLabel(chip.property, chip.value, language);
      case 'flag':
        return flagLabel(chip.property, language, t);
      case 'known':
        return t(chip.isKnown ? 'isKnown' : 'isUnknown', { name: fieldLabel(chip.property, language) });
      default:
        return chip.text;
    }
  };
}
