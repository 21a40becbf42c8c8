/** Choices among the values of a text, with how many materials each would give. */
import type { Facet } from '@unitcell/contract/matdata';
import { Formula } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { fieldLabel, optionLabel, optionNames } from '../../../components/filter/filter-fields.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

/** Values shown as buttons; the others are in a list. */
const SHOWN = 7;

interface ChoiceFilterProps {
  readonly property: string;
  readonly facet: Facet | undefined;
  readonly chosen: readonly string[];
  readonly onChosen: (values: readonly string[]) => void;
}

export function ChoiceFilter({ property, facet, chosen, onChosen }: ChoiceFilterProps) {
  const { t, language } = useTexts(screenTexts);
  const values = facet?.kind === 'values' ? facet.values : [];
  const counts = new Map(
    values.flatMap(({ value, count }) => (typeof value === 'string' ? [[value, count] as const] : [])),
  );
  // Few names keep their places whatever is counted, and what is chosen stays in sight, though nothing of it may remain.
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
      <ul className={classes.choices}>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <label className={classes.choice} data-empty={count === 0 || undefined}>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
              <span className={classes.choiceName}>
                <Value property={property} value={value} label={optionLabel(property, value, language)} />
              </span>
              <span className={classes.number}>{count === null ? '' : formatCount(count)}</span>
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
        <p className={classes.note}>{t('others', { n: formatCount(facet.others) })}</p>
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
  if (property === 'formula_anonymous') return <Formula text={value} />;
  return label;
}
