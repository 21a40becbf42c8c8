/** Columns of the results table (spec §2.7): those of the search row, as the table of fields describes them. */
import { fieldOf, fields, SEARCH_ROW, type SearchResult } from '@unitcell/material';
import type { ReactNode } from 'react';
import type { DataColumn } from '../../components/data-table/columns.ts';
import { Formula } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import type { Language } from '../../i18n/i18n.ts';
import { formatText } from '../../lib/format.ts';

type Column = DataColumn<SearchResult>;
type Render = NonNullable<Column['render']>;

/** Booleans and whole numbers show as their text (spec §2.7). */
function renderOf(name: (typeof SEARCH_ROW)[number]): Render | undefined {
  const field = fieldOf(name);
  const text =
    (show: (value: string) => ReactNode): Render =>
    (result) =>
      show(String(result[name]));
  if (field.kind === 'number')
    return (result) => <NumberText value={result[name] === null ? null : Number(result[name])} />;
  if (field.kind === 'choice') return text(formatText);
  if (field.kind !== 'text') return undefined;
  if (field.notation === 'formula') return text((formula) => <Formula text={formula} />);
  return field.notation === 'hermann-mauguin' ? text((symbol) => <SpaceGroup symbol={symbol} />) : undefined;
}

export const materialColumns = (language: Language): readonly Column[] =>
  SEARCH_ROW.map((name): Column => {
    const { row, kind } = fields[name];
    const render = renderOf(name);
    return {
      id: row.name,
      header: row.heading[language],
      value: (result) => (result[name] === '' ? null : result[name]),
      ...(render ? { render } : {}),
      isNumeric: kind === 'number' || kind === 'count',
      isHiddenByDefault: 'isHiddenByDefault' in row,
    };
  });
