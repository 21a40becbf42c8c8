/** The element filter: a text box that says how it is understood, with help on its grammar. */
import { Popover, TextInput } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import type { FilterReading } from '../settings.ts';
import { xrdTexts } from '../texts.ts';
import classes from './xrd.module.css';

interface ElementBoxProps {
  readonly value: string;
  readonly filter: FilterReading;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}

const EXAMPLES = [
  ['only: Al N', 'helpOnly'],
  ['include: Al N *', 'helpAtLeast'],
  ['Si O', 'helpBare'],
] as const;

const PROBLEMS = {
  'too-long': 'filterTooLong',
  keyword: 'filterKeyword',
  star: 'filterStar',
  symbol: 'filterSymbol',
  'no-element': 'filterNoElement',
} as const;

function useReading(filter: FilterReading): string {
  const { t } = useTexts(xrdTexts);
  if (filter.kind === 'all') return t('filterAll');
  if (filter.kind !== 'wrong') return t(filter.kind, { elements: filter.elements.join(', ') });
  return t(PROBLEMS[filter.reason], { found: filter.found });
}

export function ElementBox({ value, filter, maxLength, onChange }: ElementBoxProps) {
  const { t } = useTexts(xrdTexts);
  const reading = useReading(filter);
  const isWrong = filter.kind === 'wrong';
  return (
    <TextInput
      size="sm"
      label={t('elements')}
      placeholder="only: Al N || include: Al N *"
      value={value}
      maxLength={maxLength}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong ? reading : undefined}
      description={isWrong ? undefined : reading}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      rightSectionPointerEvents="all"
      rightSection={<ElementHelp onPick={onChange} />}
    />
  );
}

function ElementHelp({ onPick }: { readonly onPick: (text: string) => void }) {
  const { t } = useTexts(xrdTexts);
  const [isOpen, setIsOpen] = useState(false);
  const titleId = useId();
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={300}
      trapFocus
      withArrow
      shadow="md"
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.help}
          aria-label={t('elementsHelp')}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconHelp size={18} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId}>
        <p id={titleId} className={classes.helpTitle}>
          {t('elementsHelp')}
        </p>
        <ul className={classes.examples}>
          {EXAMPLES.map(([example, meaning]) => (
            <li key={example}>
              <button
                type="button"
                className={classes.example}
                onClick={() => {
                  onPick(example);
                  setIsOpen(false);
                }}
              >
                {example}
              </button>
              <span>{t(meaning)}</span>
            </li>
          ))}
        </ul>
        <p className={classes.hint}>{t('helpSeparators')}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
