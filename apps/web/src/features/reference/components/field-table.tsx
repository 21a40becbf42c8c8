/** Names, types and meanings of fields, those inside others moved to the right. */
import { useTexts } from '../../../i18n/texts.ts';
import { type FieldRow, rowsOf, type Schema } from '../document.ts';
import { referenceTexts } from '../texts.ts';
import classes from './reference.module.css';

interface FieldTableProps {
  readonly title: string;
  readonly schema?: Schema;
  readonly rows?: readonly FieldRow[];
}

export function FieldTable({ title, schema, rows: given }: FieldTableProps) {
  const rows = given ?? (schema ? rowsOf(schema) : []);
  const { t } = useTexts(referenceTexts);
  return (
    <>
      <h3>{title}</h3>
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={classes.frame} aria-label={title} tabIndex={0}>
          <table className={classes.fields}>
            <thead>
              <tr>
                <th scope="col">{t('field')}</th>
                <th scope="col">{t('type')}</th>
                <th scope="col">{t('meaning')}</th>
              </tr>
            </thead>
            <tbody lang="en">
              {rows.map(({ depth, name, type, meaning, isRequired }, index) => (
                // The same name stands in many places of one answer: the place is the key.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <th scope="row" data-depth={Math.min(depth, 5)}>
                    <code>{name}</code>
                    {!isRequired && <span className={classes.optional}> {t('optional')}</span>}
                  </th>
                  <td>
                    <code>{type}</code>
                  </td>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
