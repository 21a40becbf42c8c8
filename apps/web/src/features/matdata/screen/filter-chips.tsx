/** What is filtered by, one chip each, to be taken off. */
import { IconX } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { type Chip, chipsOf, type Conditions, withoutChip } from './conditions.ts';
import { screenTexts } from './texts.ts';
import { fieldLabel, fieldUnit, FLAG_FIELDS, optionLabel } from './rail-fields.ts';
import classes from './rail.module.css';

/** With a true minus sign. */
const shown = (value: number | null): string => String(value).replace('-', '\u2212');

/** A condition in the words of the page. */
export function useChipText(): (chip: Chip) => string {
  const { t, language } = useTexts(screenTexts);
  return (chip) => {
    switch (chip.kind) {
      case 'element':
        return `${t(chip.mode)} ${chip.symbol}`;
      case 'range': {
        const { from, to } = chip.range;
        const name = fieldLabel(chip.property, language);
        const unit = fieldUnit(chip.property);
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
      case 'flag': {
        const known = FLAG_FIELDS.find((flag) => flag === chip.property);
        return known ? t(known) : fieldLabel(chip.property, language);
      }
      case 'known':
        return t(chip.isKnown ? 'isKnown' : 'isUnknown', { name: fieldLabel(chip.property, language) });
      default:
        return chip.text;
    }
  };
}

interface FilterChipsProps {
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

const keyOf = (chip: Chip): string => JSON.stringify(chip);

export function FilterChips({ conditions, onConditions }: FilterChipsProps) {
  const { t } = useTexts(screenTexts);
  const textOf = useChipText();
  if (conditions.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t('active')}>
      {chipsOf(conditions).map((chip) => (
        <li key={keyOf(chip)}>
          <button
            type="button"
            className={classes.chip}
            data-kind={chip.kind === 'element' ? chip.mode : undefined}
            aria-label={t('remove', { name: textOf(chip) })}
            onClick={() => onConditions(withoutChip(conditions, chip))}
          >
            {textOf(chip)} <IconX size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.clear} onClick={() => onConditions([])}>
          {t('clearAll')}
        </button>
      </li>
    </ul>
  );
}
