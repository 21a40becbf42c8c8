/** Columns of the results table (spec §2.7): the fields of the search row, as described in the field table. */
import type { ListCompleteness } from '@unitcell/contract/common';
import {
  fieldOf,
  fields,
  methodOfField,
  optionText,
  SEARCH_ROW,
  type SearchResult,
  searchResultOf,
  type SearchRow,
} from '@unitcell/material';
import type { ReactNode } from 'react';
import { type DataColumn, GAP_BAR_END, HULL_BAR_END } from '../data-table/columns.tsx';
import { type completenessTexts, missingIn } from '../completeness/completeness-note.tsx';
import { Formula, formulaText } from '../formula.tsx';
import { NumberText } from '../number-text.tsx';
import { SpaceGroup } from '../space-group.tsx';
import type { Language } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/texts.ts';
import { formatText } from '../../lib/format.ts';

/** A row with the compounds missing from its chemical system: `CO2, H2O`; null if none. */
export type FoundMaterial = SearchResult & { readonly missing: string | null };

export function foundMaterial(row: Readonly<SearchRow>, list: ListCompleteness | undefined): FoundMaterial {
  const result = searchResultOf(row);
  return { ...result, missing: missingIn(list, result.formula) };
}

type Column = DataColumn<FoundMaterial>;

type Render = NonNullable<Column['render']>;

/** Booleans and integers are shown as text (spec §2.7). */
function renderOf(name: (typeof SEARCH_ROW)[number], language: Language): Render | undefined {
  const field = fieldOf(name);
  const text =
    (show: (value: string) => ReactNode): Render =>
    (result) =>
      show(String(result[name] ?? ''));
  if (field.kind === 'number')
    return (result) => (
      <NumberText value={result[name] === null ? null : Number(result[name])} decimals={field.decimals} />
    );
  if (field.kind === 'choice') return text((value) => formatText(optionText(name, value, language)));
  if (field.kind !== 'text') return undefined;
  if (field.notation === 'formula') return text((formula) => <Formula text={formula} />);
  return field.notation === 'hermann-mauguin' ? text((symbol) => <SpaceGroup symbol={symbol} />) : undefined;
}

/** Formulas are easier to read than numbers, so the formula comes first. The API keeps its own order. */
const COLUMN_ORDER = ['formula', ...SEARCH_ROW.filter((name) => name !== 'formula')] as const;

/** The quantities by which materials are compared. */
const KEYS: ReadonlySet<string> = new Set(['formula', 'energyAboveHull', 'bandGap']);

/** @param completeness texts and the mark for incomplete systems */
export const materialColumns = (
  language: Language,
  completeness: Translate<(typeof completenessTexts)['en']>,
): readonly Column[] => [
  ...COLUMN_ORDER.map((name): Column => {
    const { row, kind, meaning } = fields[name];
    const render = renderOf(name, language);
    const method = methodOfField(name);
    return {
      id: row.name,
      header: row.heading[language],
      hint: meaning[language],
      value: (result) => (result[name] === '' ? null : result[name]),
      ...(render ? { render } : {}),
      ...(method && { method }),
      isNumeric: kind === 'number' || kind === 'count',
      isHiddenByDefault: 'isHiddenByDefault' in row,
      isKey: KEYS.has(name),
      ...(name === 'energyAboveHull' && { barEnd: HULL_BAR_END }),
      ...(name === 'bandGap' && { barEnd: GAP_BAR_END }),
      ...(name === 'energyAboveHull'
        ? { render: (found) => <AboveHull found={found} t={completeness} /> }
        : {}),
    };
  }),
  {
    id: 'missing',
    header: completeness('missingColumn'),
    value: ({ missing }) => missing,
    render: ({ missing }) => (missing === null ? '-' : formulaText(missing)),
    isHiddenByDefault: true,
  },
];

/** Energy above the hull, marked as a lower bound if the chemical system lacks compounds. */
function AboveHull({
  found: { energyAboveHull, missing },
  t,
}: {
  readonly found: FoundMaterial;
  readonly t: Translate<(typeof completenessTexts)['en']>;
}) {
  return (
    <>
      {missing !== null && energyAboveHull !== null && (
        <abbr title={t('missingTitle', { missing: formulaText(missing) })}>≥ </abbr>
      )}
      <NumberText value={energyAboveHull} />
    </>
  );
}
