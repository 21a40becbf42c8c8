/** Form for radiation, elements, method and options, with the Match button. */
import { Button, Checkbox, NativeSelect, Popover, Progress, TextInput, Textarea } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { xrdTexts } from '../texts.ts';
import classes from './xrd.module.css';
import {
  type FilterReading,
  isNeutrons,
  isRadiationValid,
  NEUTRONS,
  neutronsTyped,
  otherWay,
  readFilter,
  radiationIn,
  ROW_CHOICES,
  sourceGroups,
  useMatchProgress,
  wavelengthText,
} from '../matching.ts';
import type { Matcher } from '../use-matcher.ts';
import type { ListedLine } from '@unitcell/diffraction';
import { LISTED_SPACINGS } from '@unitcell/contract/xrd/rules';

/** A radiation in the language of the page. */
function useRadiationName(): (radiation: string) => string {
  const { t } = useTexts(xrdTexts);
  return (radiation) =>
    isNeutrons(radiation) ? t('neutronsOf', { wavelength: wavelengthText(radiation) }) : radiation;
}

interface RadiationFieldsProps {
  readonly radiation: string;
  readonly onChange: (radiation: string) => void;
}

/** A line of a tube with its wavelength, or neutrons with a wavelength to be typed. */
function RadiationFields({ radiation, onChange }: RadiationFieldsProps) {
  const { t } = useTexts(xrdTexts);
  const areNeutrons = isNeutrons(radiation);
  return (
    <div className={`uc-stack ${classes.radiation}`}>
      <NativeSelect
        label={t('radiation')}
        size="sm"
        data={[...sourceGroups(radiation), { value: NEUTRONS, label: t('neutrons') }]}
        value={areNeutrons ? NEUTRONS : radiation}
        onChange={({ currentTarget: { value } }) => onChange(value === NEUTRONS ? neutronsTyped() : value)}
      />
      <TextInput
        label={t('wavelength')}
        size="sm"
        inputMode="decimal"
        maxLength={10}
        value={wavelengthText(radiation)}
        readOnly={!areNeutrons}
        error={!isRadiationValid(radiation) && t('wavelengthWrong')}
        onChange={({ currentTarget }) => onChange(neutronsTyped(currentTarget.value))}
        rightSection={<span className="uc-fine">Å</span>}
      />
    </div>
  );
}

const MAX_ELEMENTS_TEXT = 500;

interface ElementBoxProps {
  readonly value: string;
  readonly filter: FilterReading;
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
  if (filter.kind !== 'wrong') {
    const isMixture = filter.kind === 'exactly' && filter.elements.length > 1;
    return t(isMixture ? 'exactlyOrPart' : filter.kind, { elements: filter.elements.join(', ') });
  }
  return t(PROBLEMS[filter.reason], { found: filter.found });
}

/** The element filter: a text box that shows how its input is understood, and help for the syntax. */
function ElementBox({ value, filter, onChange }: ElementBoxProps) {
  const { t } = useTexts(xrdTexts);
  const reading = useReading(filter);
  const isWrong = filter.kind === 'wrong';
  return (
    <TextInput
      size="sm"
      label={t('elements')}
      placeholder="only: Al N || include: Al N *"
      value={value}
      maxLength={MAX_ELEMENTS_TEXT}
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
        <ul className={`uc-list ${classes.examples}`}>
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
        <p className="uc-hint">{t('helpSeparators')}</p>
      </Popover.Dropdown>
    </Popover>
  );
}

export function MatchForm({ matcher }: { readonly matcher: Matcher }) {
  const { settings, changeSettings, isReady } = matcher;
  const isMatching = matcher.runningId !== null;
  const isIdentifying = matcher.refiner.identifyingId !== null;
  const fileRadiation = radiationIn(matcher.state.measurement?.record ?? null);
  const { t } = useTexts(xrdTexts);
  const filter = readFilter(settings.elements);
  const nameOf = useRadiationName();
  const identifyHintId = useId();
  const isValid = filter.kind !== 'wrong' && isRadiationValid(settings.radiation);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !isMatching && isValid) matcher.match();
  };
  const toggleWay = (): void => changeSettings({ way: otherWay(settings.way) });
  return (
    <form className="uc-stack" onSubmit={submit} noValidate>
      <RadiationFields
        radiation={settings.radiation}
        onChange={(radiation) => changeSettings({ radiation })}
      />
      {isNeutrons(settings.radiation) && <p className="uc-hint">{t('neutronsHint')}</p>}
      {settings.radiation === 'CoKβ1' && <p className="uc-hint">{t('cobaltHint')}</p>}
      {fileRadiation !== null && fileRadiation !== settings.radiation && (
        <Notice kind="warning">
          <p className={classes.question}>
            {t('otherRadiation', { file: nameOf(fileRadiation), form: nameOf(settings.radiation) })}
          </p>
          <Button variant="default" size="xs" onClick={() => changeSettings({ radiation: fileRadiation })}>
            {t('useRadiation', { file: nameOf(fileRadiation) })}
          </Button>
        </Notice>
      )}
      <ElementBox
        value={settings.elements}
        filter={filter}
        onChange={(elements) => changeSettings({ elements })}
      />
      <fieldset className={classes.methods}>
        <legend className={classes.legend}>{t('method')}</legend>
        <Checkbox
          size="xs"
          label="DTW"
          description={t('dtwHint')}
          checked={settings.way === 'DTW'}
          onChange={toggleWay}
        />
        <Checkbox
          size="xs"
          label={t('euclidean')}
          description={t('euclideanHint')}
          checked={settings.way === 'Euclidean'}
          onChange={toggleWay}
        />
      </fieldset>
      <fieldset className={classes.choices}>
        <legend className={classes.legend}>{t('options')}</legend>
        <Checkbox
          size="xs"
          label={t('allowStrain')}
          description={t('allowStrainHint')}
          checked={settings.allowsStrain}
          onChange={(event) => changeSettings({ allowsStrain: event.currentTarget.checked })}
        />
        <NativeSelect
          size="xs"
          label={t('rows')}
          className={classes.rows}
          data={ROW_CHOICES.map(String)}
          value={String(settings.rows)}
          onChange={(event) => changeSettings({ rows: Number(event.currentTarget.value) })}
        />
      </fieldset>
      <Button type="submit" size="md" fullWidth disabled={!isReady || isMatching || !isValid}>
        {isMatching ? t('matching') : t('match')}
      </Button>
      <Button
        variant="default"
        size="md"
        fullWidth
        disabled={!isReady || isIdentifying || !isValid}
        aria-describedby={identifyHintId}
        onClick={matcher.identify}
      >
        {isIdentifying ? t('identifying') : t('identify')}
      </Button>
      <p id={identifyHintId} className="uc-hint">
        {t('identifyHint')}
      </p>
      {!isReady && !isMatching && <p className="uc-hint">{t('matchNeedsPattern')}</p>}
    </form>
  );
}

// Progress of a match or a refinement, queue length, and Cancel.

interface MatchProgressProps {
  readonly matchId: string;
  /** Name of the running task. */
  readonly label: string;
  readonly onCancel: () => void;
}

export function MatchProgress({ matchId, label, onCancel }: MatchProgressProps) {
  const { t } = useTexts(xrdTexts);
  const { data } = useMatchProgress(matchId);
  const percent = Math.round(100 * (data?.progress ?? 0));
  // The server does not know the id until the request arrives. It reports an identification as `refining`, too.
  const told = data?.state === 'refining' ? `${label} ${percent} %` : data?.message;
  const words = data && data.state !== 'unknown' ? told : t('starting');
  const place = useRef<HTMLDivElement>(null);
  // On a small screen the progress appears below the pressed button, possibly outside the window.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={`uc-panel uc-stack ${classes.progress}`}>
      <output className={classes.progressText}>{words}</output>
      <Progress value={data?.state === 'waiting' ? 0 : percent} size="sm" aria-label={label} />
      <Button variant="default" size="xs" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}

// Spacings and intensities typed or pasted in place of a measured file.

type LineList =
  | { readonly kind: 'empty' }
  | { readonly kind: 'lines'; readonly lines: readonly ListedLine[] }
  /** `line` counts from 1. */
  | { readonly kind: 'wrong'; readonly line: number; readonly text: string };

/**
 * Parses lines of spacing and intensity, separated by spaces, tabs, commas or semicolons. More columns are
 * ignored.
 */
export function readLineList(text: string): LineList {
  const lines: ListedLine[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    const trimmed = row.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [d = Number.NaN, intensity = Number.NaN] = trimmed.split(/[\s,;]+/).map(Number);
    if (!(d >= LISTED_SPACINGS.min && d <= LISTED_SPACINGS.max && intensity >= 0 && intensity < Infinity))
      return { kind: 'wrong', line: index + 1, text: trimmed.slice(0, 40) };
    lines.push({ d, intensity });
  }
  return lines.some(({ intensity }) => intensity > 0) ? { kind: 'lines', lines } : { kind: 'empty' };
}

interface LineFormProps {
  readonly isDisabled: boolean;
  readonly onLines: (lines: readonly ListedLine[]) => void;
}

const MAX_TEXT = 20_000;

export function LineForm({ isDisabled, onLines }: LineFormProps) {
  const { t } = useTexts(xrdTexts);
  const [text, setText] = useState('');
  const list = readLineList(text);
  return (
    <>
      <Textarea
        label={t('lineListLabel')}
        description={t('lineListHint')}
        placeholder={'3.342 100\n4.255 22\n1.818 14'}
        rows={5}
        maxLength={MAX_TEXT}
        value={text}
        error={list.kind === 'wrong' && t('lineListWrong', { line: list.line, text: list.text })}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        size="xs"
        disabled={isDisabled || list.kind !== 'lines'}
        onClick={() => {
          if (list.kind === 'lines') onLines(list.lines);
        }}
      >
        {t('lineListUse')}
      </Button>
    </>
  );
}
