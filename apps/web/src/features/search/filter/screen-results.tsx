/** Rows of the filter, sorted and limited by the server. Without matches it suggests which filter to drop. */
import { conditionsOf, isExpression, parseFilter } from '@unitcell/filter';
import { type FormEvent, useMemo, useState } from 'react';
import { saveSearch } from '@unitcell/contract/calls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import {
  type ChangeView,
  type DataColumn,
  numberColumn,
  type TableView,
} from '../../../components/data-table/columns.tsx';
import { DataTable, type RowSelection } from '../../../components/data-table/data-table.tsx';
import { ScaleOrigin, useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import {
  completenessTexts,
  ListCompletenessNote,
} from '../../../components/completeness/completeness-note.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { joined, useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { materialColumns } from '../../../components/materials/columns.tsx';
import { DownloadResult } from '../../../components/materials/download-result.tsx';
import {
  chipsOf,
  type Conditions,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
  withoutChip,
} from '../../../components/filter/conditions.ts';
import { screenTexts } from '../texts.ts';
import {
  fieldDecimals,
  fieldMeaning,
  methodOfProperty,
  useChipText,
  useFieldTitle,
} from '../../../components/filter/filter-fields.ts';
import { MOST_LEFT_OUT, useSearchesWithResults } from '../nearby-searches.tsx';
import { PAGE_SIZE, type Screened, type ScreenedMaterial } from '../use-screen.ts';
import { InlineFailure } from '../../../components/failure.tsx';
import { answerTo, groupKey } from '../../../lib/api-client.ts';
import buttons from '../../../components/toolbar.module.css';
import classes from '../search.module.css';

/** Three digits at least: the numbers of an expression such as `[1 / bulk_modulus]` may all be small. */
const ownDecimals = (value: number | null | undefined): number =>
  value ? Math.min(20, Math.max(3, 2 - Math.floor(Math.log10(Math.abs(value))))) : 3;

interface SaveSearchProps {
  readonly filter: string;
  readonly scale: string;
}

/** Saves the filter under a name in the account. */
function SaveSearch({ filter, scale }: SaveSearchProps) {
  const { t } = useTexts(screenTexts);
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (wanted: string) =>
      (await answerTo(saveSearch, { name: wanted, filter, scale })).search,
    onSuccess: () => {
      setName(null);
      return client.invalidateQueries({ queryKey: groupKey(saveSearch) });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== null && name.trim() !== '') save.mutate(name.trim());
  };
  if (name === null)
    return (
      <p className={`uc-row ${classes.save}`}>
        <button type="button" className={buttons.format} onClick={() => setName('')}>
          {t('saveSearch')}
        </button>
        {save.isSuccess && save.variables !== undefined && (
          <output>
            <Link to="/collections">{t('searchSaved')}</Link>
          </output>
        )}
      </p>
    );
  return (
    <form className={`uc-row ${classes.save}`} onSubmit={submit}>
      <input
        className={classes.nameBox}
        aria-label={t('searchName')}
        placeholder={t('searchName')}
        maxLength={100}
        value={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the box replaces the button that opened it
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" className={buttons.format} disabled={name.trim() === '' || save.isPending}>
        {t('save')}
      </button>
      <button
        type="button"
        className={buttons.format}
        onClick={() => {
          setName(null);
          save.reset();
        }}
      >
        {t('cancel')}
      </button>
      <InlineFailure error={save.error} />
    </form>
  );
}

interface ScreenResultsProps {
  readonly screened: Screened;
  readonly isStale: boolean;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
  readonly view: TableView;
  readonly onViewChange: ChangeView;
  /** Numbers used in the filter, shown beside the default columns. */
  readonly more: readonly string[];
  readonly selection: RowSelection<{ readonly structId: number; readonly formula: string }>;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
}

export function ScreenResults(props: ScreenResultsProps) {
  const { screened, view } = props;
  const { t, language } = useTexts(screenTexts);
  const nameOf = useScaleName();
  const { t: completeness } = useTexts(completenessTexts);
  const { more } = props;
  const title = useFieldTitle();
  const columns = useMemo(
    (): readonly DataColumn<ScreenedMaterial>[] => [
      ...materialColumns(language, completeness).map((column) =>
        column.id === 'missing' ? { ...column, isSortable: false } : column,
      ),
      ...more.map((name) => {
        const method = methodOfProperty(name);
        return numberColumn<ScreenedMaterial>(name, title(name), (row) => row.more[name], {
          hint: fieldMeaning(name, language),
          decimals: fieldDecimals(name),
          ...(isExpression(name) && {
            render: ({ more: { [name]: value } }) => (
              <NumberText value={value} decimals={ownDecimals(value)} />
            ),
          }),
          ...(method && { method }),
        });
      }),
    ],
    [language, completeness, more, title],
  );
  const { total, catalogue, scale } = screened;
  return (
    <div className={classes.results} data-stale={props.isStale || undefined} aria-busy={props.isStale}>
      <ScaleOrigin scale={scale}>
        <DataTable
          label={t('filters')}
          rows={screened.materials}
          total={total}
          pageSize={PAGE_SIZE}
          columns={columns}
          rowKey={(material) => material.structId}
          rowHref={(material) => withScale(`/matdatades/${material.structId}`, props.scale)}
          view={view}
          onViewChange={props.onViewChange}
          selection={props.selection}
          caption={
            <>
              <h2 className={classes.count}>
                {t('found', { count: total, n: formatCount(total), all: formatCount(catalogue) })}{' '}
                <span className={classes.onScale}>{t('onScale', { scale: nameOf(scale.functional) })}</span>
              </h2>
              <ListCompletenessNote
                of="materials"
                completeness={screened.completeness}
                incomplete={screened.materials.filter(({ missing }) => missing !== null).length}
              />
            </>
          }
        />
      </ScaleOrigin>
      {total === 0 && <WayOut {...props} />}
      <DownloadResult
        total={total}
        of={{ filter: screened.filter }}
        scale={scale.functional}
        calculated={more.filter(isExpression)}
      />
      <div className={`uc-row ${classes.keep}`}>
        <SaveSearch
          // A new key resets the form, because its messages are about one filter.
          key={`${screened.filter} ${scale.functional}`}
          filter={screened.filter}
          scale={scale.functional}
        />
        <CopyAsCode sent={screened.sent} />
      </div>
    </div>
  );
}

/** Lists for each filter how many materials match without it, most first. */
function WayOut({ screened, conditions, onConditions }: ScreenResultsProps) {
  const { t } = useTexts(screenTexts);
  const textOf = useChipText();
  const ways = screened.conditions.filter(({ without }) => without > 0).sort((a, b) => b.without - a.without);
  const elements = elementsOf(conditions);
  // The element list is one condition, but dropping a single element may be enough.
  const single = (elements.with.length > 1 ? elements.with : []).slice(0, MOST_LEFT_OUT).map((symbol) => {
    const rest = withElements(conditions, toggledElement(elements, symbol, 'with'));
    return { symbol, rest, filter: textOfConditions(rest) };
  });
  const fewer = useSearchesWithResults(single, screened.scale.functional) ?? [];
  const hasWays = ways.length + fewer.length > 0;
  return (
    <div className={classes.wayOut}>
      <p>{joined(t('nothing'), t(hasWays ? 'wayOut' : 'wayOutNone'))}</p>
      <ul>
        {ways.map(({ filter, without }) => {
          const chips = chipsOf(conditionsOf(parseFilter(filter).tree));
          return (
            <li key={filter}>
              <button
                type="button"
                className={classes.way}
                onClick={() => onConditions(chips.reduce(withoutChip, conditions))}
              >
                {t('drop')} <b>{chips.map(textOf).join(', ')}</b>:{' '}
                {t('gives', { count: without, n: formatCount(without) })}
              </button>
            </li>
          );
        })}
        {fewer.map(({ symbol, rest, total }) => (
          <li key={symbol}>
            <button type="button" className={classes.way} onClick={() => onConditions(rest)}>
              {t('drop')} <b>{textOf({ kind: 'element', symbol, mode: 'with' })}</b>:{' '}
              {t('gives', { count: total, n: formatCount(total) })}
            </button>
          </li>
        ))}
        {!hasWays && (
          <li>
            <button type="button" className={classes.way} onClick={() => onConditions([])}>
              {t('clearAll')}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
