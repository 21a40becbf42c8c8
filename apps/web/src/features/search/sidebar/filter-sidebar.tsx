/** The filters beside the results, in sections. Each control writes its own conditions into the shared filter. */
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import type { Facet } from '@unitcell/contract/matdata';
import { zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { type FormEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import {
  choicesOf,
  type Conditions,
  flagOf,
  rangeOf,
  withChoices,
  withFlag,
  withRange,
} from '../../../components/filter/conditions.ts';
import {
  CHOICE_FIELDS,
  CONDITION_RANGES,
  electrodeFields,
  fieldLabel,
  fieldMeaning,
  filterTexts,
  FLAG_FIELDS,
  flagLabel,
  frameworkField,
  ionOf,
  isFormula,
  isOfElectrode,
  optionLabel,
  optionNames,
  PREDICTED_RANGES,
  RANGE_FIELDS,
  type RangeField,
  windowFields,
} from '../../../components/filter/filter-fields.ts';
import { Formula } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';
import type { Screened } from '../use-screen.ts';
import { CalculatedColumns } from './calculated.tsx';
import { RangeFilter } from './range-filter.tsx';

/** Loaded when its section is opened, because it contains the thermodynamic tables of oxygen. */
const OxygenFilter = lazyPart(async () => (await import('./oxygen-filter.tsx')).OxygenFilter);

/** Number of values shown as buttons; the others are in a list. */
const SHOWN = 7;

interface ChoiceFilterProps {
  readonly property: string;
  readonly facet: Facet | undefined;
  readonly chosen: readonly string[];
  readonly onChosen: (values: readonly string[]) => void;
}

/** Filter by the values of a text field. Each value shows how many materials it would leave. */
export function ChoiceFilter({ property, facet, chosen, onChosen }: ChoiceFilterProps) {
  const { t, language } = useTexts(screenTexts);
  const values = facet?.kind === 'values' ? facet.values : [];
  const counts = new Map(
    values.flatMap(({ value, count }) => (typeof value === 'string' ? [[value, count] as const] : [])),
  );
  // Short lists keep a fixed order. Selected values stay visible even with a count of zero.
  const names = optionNames(property);
  const few = names.length <= SHOWN ? names : [];
  const all = [...new Set([...few, ...counts.keys(), ...chosen])].map((value) => ({
    value,
    count: counts.get(value) ?? (facet ? 0 : null),
  }));
  const shown = all.filter(({ value }, index) => index < SHOWN || chosen.includes(value));
  const rest = all.filter((value) => !shown.includes(value));
  const toggle = (value: string): void =>
    onChosen(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <>
      <ul className="uc-list">
        {shown.map(({ value, count }) => (
          <li key={value}>
            <label className={`uc-line ${classes.choice}`} data-empty={count === 0 || undefined}>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
              <span className={classes.choiceName}>
                <Value property={property} value={value} label={optionLabel(property, value, language)} />
              </span>
              <span className={`uc-fine ${classes.number}`}>{count === null ? '' : formatCount(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <select
          className={classes.more}
          aria-label={fieldLabel(property, language)}
          value=""
          onChange={(event) => toggle(event.currentTarget.value)}
        >
          <option value="">{t('add')}</option>
          {rest.map(({ value, count }) => (
            <option key={value} value={value}>
              {`${optionLabel(property, value, language)} (${formatCount(count ?? 0)})`}
            </option>
          ))}
        </select>
      )}
      {facet?.kind === 'values' && facet.others > 0 && (
        <p className={`uc-fine ${classes.note}`}>{t('others', { n: formatCount(facet.others) })}</p>
      )}
    </>
  );
}

function Value({
  property,
  value,
  label,
}: {
  readonly property: string;
  readonly value: string;
  readonly label: string;
}) {
  if (property === 'space_group') return <SpaceGroup symbol={value} />;
  if (isFormula(property)) return <Formula text={value} />;
  return label;
}

interface FilterDrawerProps {
  /** Number of active filters. */
  readonly count: number;
  readonly children: ReactNode;
}

/** The place of the filters: beside the results, or in a drawer on narrow screens. */
export function FilterDrawer({ count, children }: FilterDrawerProps) {
  const { t } = useTexts(screenTexts);
  const isNarrow = useMediaQuery('(max-width: 1099.98px)', undefined, { getInitialValueInEffect: false });
  const dialog = useRef<HTMLDialogElement>(null);
  const [wasOpened, setOpened] = useState(false);
  const title = count > 0 ? t('filtersActive', { n: count }) : t('filters');
  if (!isNarrow)
    return (
      <aside className={classes.aside} aria-label={t('filters')}>
        {children}
      </aside>
    );
  return (
    <div className={classes.drawerPlace}>
      <button
        type="button"
        className={classes.openDrawer}
        onClick={() => {
          setOpened(true);
          dialog.current?.showModal();
        }}
      >
        <IconAdjustmentsHorizontal size={17} aria-hidden="true" /> {title}
      </button>
      <dialog ref={dialog} className={classes.drawer} aria-label={t('filters')}>
        {/* Rendered when first opened: dozens of filters that most visits never use. */}
        <div className={classes.drawerContent}>{wasOpened && children}</div>
        <button type="button" className={classes.closeDrawer} onClick={() => dialog.current?.close()}>
          {t('close')}
        </button>
      </dialog>
    </div>
  );
}

interface FilterTextProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The filter as text, to read, copy and edit. */
function FilterText({ text, onText }: FilterTextProps) {
  const { t } = useTexts(screenTexts);
  const [typed, setTyped] = useState({ text, of: text });
  if (typed.of !== text) setTyped({ text, of: text });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onText(typed.text.trim());
  };
  return (
    <form className={classes.words} onSubmit={submit}>
      <textarea
        aria-label={t('asText')}
        rows={4}
        spellCheck={false}
        translate="no"
        value={typed.text}
        onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
      />
      <p className={`uc-fine ${classes.note}`}>{t('asTextHint')}</p>
      <button type="submit" className={classes.apply} disabled={typed.text.trim() === text}>
        {t('apply')}
      </button>
    </form>
  );
}

interface FilterSidebarProps {
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly scale: string | null;
  readonly onScale: (scale: string | null) => void;
  readonly screened: Screened | undefined;
  /** The working ion of the windows shown. */
  readonly ion: string;
  readonly onIon: (ion: string) => void;
  readonly calculated: readonly string[];
  readonly onCalculated: (names: readonly string[]) => void;
}

export function FilterSidebar(props: FilterSidebarProps) {
  const { conditions, onConditions, screened } = props;
  const { t, language } = useTexts(screenTexts);
  const { t: words } = useTexts(filterTexts);
  const bare = (field: RangeField) => (
    <RangeFilter
      field={field}
      facet={screened?.facets[field.property]}
      range={rangeOf(conditions, field.property)}
      onRange={(next) => onConditions(withRange(conditions, field.property, next))}
    />
  );
  const range = (field: RangeField) => {
    const { property, isOpen } = field;
    const now = rangeOf(conditions, property);
    const isActive = now.from !== null || now.to !== null;
    return (
      <Section
        key={property}
        title={fieldLabel(property, language)}
        hint={fieldMeaning(property, language)}
        isOpen={isOpen || isActive}
      >
        {bare(field)}
      </Section>
    );
  };
  const calculatedRange = (property: string) => bare({ property, presets: [], isOpen: true });
  const choice = (property: string) => {
    const chosen = choicesOf(conditions, property);
    return (
      <Section
        key={property}
        title={fieldLabel(property, language)}
        hint={fieldMeaning(property, language)}
        isOpen={property === 'crystal_system' || chosen.length > 0}
      >
        <ChoiceFilter
          property={property}
          facet={screened?.facets[property]}
          chosen={chosen}
          onChosen={(values) => onConditions(withChoices(conditions, property, values))}
        />
      </Section>
    );
  };
  const windowsActive = conditions.some(
    (term) => term.kind === 'compare' && ionOf(term.property) !== undefined && !isOfElectrode(term.property),
  );
  const electrodesActive = conditions.some((term) => 'property' in term && isOfElectrode(term.property));
  const workingIon = (
    <label className={`uc-line ${classes.ion}`}>
      {t('workingIon')}
      <select value={props.ion} onChange={(event) => props.onIon(event.currentTarget.value)}>
        {WORKING_IONS.map((ion) => (
          <option key={ion}>{ion}</option>
        ))}
      </select>
    </label>
  );
  const surroundingsActive = conditions.some(
    (term) => term.kind === 'compare' && CONDITION_RANGES.some(({ property }) => property === term.property),
  );
  const predictedActive = conditions.some(
    (term) => term.kind === 'compare' && PREDICTED_RANGES.some(({ property }) => property === term.property),
  );
  const zero = zeroOfScale(props.scale ?? screened?.scale.functional ?? '');
  const isOpen = (field: RangeField): boolean => field.isOpen;
  const [system, ...otherChoices] = CHOICE_FIELDS.map(choice);
  return (
    <div className={classes.rail}>
      {RANGE_FIELDS.filter(isOpen).map(range)}
      {system}
      <Section title={t('known')} isOpen>
        <ul className="uc-list">
          {FLAG_FIELDS.map((property) => {
            const facet = screened?.facets[property];
            const count =
              facet?.kind === 'values' ? facet.values.find(({ value }) => value === true)?.count : undefined;
            return (
              <li key={property}>
                <label className={`uc-line ${classes.choice}`} data-empty={count === 0 || undefined}>
                  <input
                    type="checkbox"
                    checked={flagOf(conditions, property)}
                    onChange={({ currentTarget: { checked } }) =>
                      onConditions(withFlag(conditions, property, checked))
                    }
                  />
                  <span className={classes.choiceName}>{flagLabel(property, language, words)}</span>
                  <span className={`uc-fine ${classes.number}`}>
                    {count === undefined ? '' : formatCount(count)}
                  </span>
                </label>
              </li>
            );
          })}
        </ul>
      </Section>
      {otherChoices}
      {RANGE_FIELDS.filter((field) => !isOpen(field)).map(range)}
      <Section title={t('predicted')} isOpen={predictedActive}>
        {PREDICTED_RANGES.map(range)}
        <p className={`uc-fine ${classes.note}`}>{t('predictedNote')}</p>
      </Section>
      <Section title={t('surroundings')} isOpen={surroundingsActive}>
        <Suspense fallback={null}>
          {/* A new key, because the same potential is another temperature on a scale with another zero. */}
          <OxygenFilter key={zero} conditions={conditions} onConditions={onConditions} zero={zero} />
        </Suspense>
        {CONDITION_RANGES.map(range)}
        <p className={`uc-fine ${classes.note}`}>{t('surroundingsNote')}</p>
      </Section>
      <Section title={t('window')} isOpen={windowsActive}>
        {workingIon}
        {windowFields(props.ion).map(range)}
        <p className={`uc-fine ${classes.note}`}>{t('unbounded')}</p>
      </Section>
      <Section title={t('electrodes')} isOpen={electrodesActive}>
        {workingIon}
        {electrodeFields(props.ion).map(range)}
        {choice(frameworkField(props.ion))}
        <p className={`uc-fine ${classes.note}`}>{t('electrodesNote')}</p>
      </Section>
      <Section title={t('calculated')} isOpen={props.calculated.length > 0}>
        <CalculatedColumns
          onAdd={(name) => props.onCalculated([...props.calculated, name])}
          onRemove={(name) => props.onCalculated(props.calculated.filter((other) => other !== name))}
          rangeOf={calculatedRange}
        />
      </Section>
      {/* Open if the text could not be parsed, so that it can be corrected here. */}
      <Section title={t('asText')} isOpen={conditions.length === 0 && props.text !== ''}>
        <FilterText text={props.text} onText={props.onText} />
      </Section>
      <div className={classes.scale}>
        <EnergyScaleSelect scale={props.scale} onChange={props.onScale} />
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  /** What the field means: shown when the pointer rests on the title; on a touch screen below it. */
  readonly hint?: string | undefined;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** Renders its content when first expanded. */
function Section({ title, hint, isOpen, children }: SectionProps) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      className={classes.section}
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className={classes.title} title={hint}>
        {title}
      </summary>
      {(isOpen || wasOpened) && (
        <>
          {hint && <p className="uc-fine uc-meaning">{hint}</p>}
          {children}
        </>
      )}
    </details>
  );
}
