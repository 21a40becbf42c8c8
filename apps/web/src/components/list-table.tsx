/** A dense list: rules as in print on a desk, one block a row on a phone. */
import type { ReactNode } from 'react';
import classes from './table.module.css';
import { ScrollFrame } from './scroll-frame.tsx';

export interface ListColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
  readonly isNumeric?: boolean;
  /** Long texts take several lines. */
  readonly isWrapped?: boolean;
}

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly ListColumn<Row>[];
  readonly rowKey: (row: Row) => string | number;
  /** SearchStatement when there is no row. */
  readonly empty: string;
  /** What can be done to a row, at its end. */
  readonly renderActions?: (row: Row) => ReactNode;
  readonly actionsLabel?: string;
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, rows, columns, rowKey, empty, renderActions, actionsLabel } = props;
  if (rows.length === 0) return <p className={classes.listEmpty}>{empty}</p>;
  return (
    <ScrollFrame>
      {/* A part that scrolls must be reachable by keyboard to be scrolled by it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes.scroller} aria-label={label} tabIndex={0}>
        <table className={classes.list}>
          <caption className="uc-visually-hidden">{label}</caption>
          <thead>
            <tr>
              {columns.map(({ id, header, isNumeric }) => (
                <th key={id} scope="col" data-numeric={isNumeric || undefined}>
                  {header}
                </th>
              ))}
              {renderActions && (
                <th scope="col">
                  <span className="uc-visually-hidden">{actionsLabel}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map(({ id, header, render, isNumeric, isWrapped }, place) => {
                  const Cell = place === 0 ? 'th' : 'td';
                  return (
                    <Cell
                      key={id}
                      {...(place === 0 ? { scope: 'row' } : { 'data-label': header })}
                      data-numeric={isNumeric || undefined}
                      data-wrapped={isWrapped || undefined}
                    >
                      {render(row)}
                    </Cell>
                  );
                })}
                {renderActions && <td className={classes.actions}>{renderActions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </ScrollFrame>
  );
}
