/** What is filtered by, one chip each, to be taken off. */
import { IconX } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { type Chip, chipsOf, type Conditions, withoutChip } from '../../../components/filter/conditions.ts';
import classes from '../search.module.css';
import { useChipText } from '../../../components/filter/filter-words.ts';
import { screenTexts } from '../texts.ts';

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
