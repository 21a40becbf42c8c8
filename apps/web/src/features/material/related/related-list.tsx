/** A few related materials, why they are related, and a link to all of them. */
import type { RelatedMaterial } from '@unitcell/contract/matdata';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Formula } from '../../../components/formula.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../material.module.css';
import { relatedTexts } from './texts.ts';

interface MadeProps {
  readonly name: string;
  readonly method: MethodId;
  readonly value: number | null | undefined;
  readonly decimals?: number;
  readonly isFirst: boolean;
}

const Made = ({ name, method, value, decimals, isFirst }: MadeProps) => (
  <SourcedValue name={name} method={method} isMadeHere={typeof value === 'number'} isTabStop={isFirst}>
    <NumberText value={value} {...(decimals === undefined ? {} : { decimals })} />
  </SourcedValue>
);

interface RelatedListProps {
  readonly title: string;
  readonly lead: string;
  readonly list: { readonly count: number; readonly rows: readonly RelatedMaterial[] };
  /** Message for an empty list. */
  readonly none: string;
  /** Search for the full list. */
  readonly all?: string;
  /** Link text; by default the total number. */
  readonly allName?: string;
  /** Id of the element that explains the distance. */
  readonly describedBy?: string;
}

export function RelatedList({ title, lead, list, none, all, allName, describedBy }: RelatedListProps) {
  const { t } = useTexts(relatedTexts);
  const heading = useId();
  const { count, rows } = list;
  const hasDistance = rows.some(({ distance }) => distance !== undefined);
  return (
    <section className={classes.list} aria-labelledby={heading} aria-describedby={describedBy}>
      <h3 id={heading} className={classes.listTitle}>
        {title}
        {count > 0 && <span className={classes.count}> {count}</span>}
      </h3>
      <p className={classes.lead}>{lead}</p>
      {rows.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <table className={classes.relatedTable}>
          <thead>
            <tr>
              <th scope="col">{t('formula')}</th>
              <th scope="col">{t('group')}</th>
              <th scope="col" className={classes.relatedNumber} title={t('hullUnit')}>
                {t('hull')}
              </th>
              {hasDistance && (
                <th scope="col" className={classes.relatedNumber}>
                  {t('distance')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={row.struct_id}>
                <td>
                  <Link to={`/matdatades/${row.struct_id}`} className={classes.link}>
                    <Formula text={row.formula} />
                    <span className={classes.relatedId}>{row.struct_id}</span>
                  </Link>
                </td>
                <td>
                  <SpaceGroup symbol={row.space_group} />
                </td>
                <td className={classes.relatedNumber}>
                  <Made name={t('hullUnit')} method="hull" value={row.e_above_hull} isFirst={place === 0} />
                </td>
                {hasDistance && (
                  <td className={classes.relatedNumber}>
                    <Made
                      name={t('distance')}
                      method="similar"
                      value={row.distance}
                      decimals={2}
                      isFirst={place === 0}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {count > rows.length &&
        (all === undefined ? (
          <p className={classes.none}>{t('more', { count })}</p>
        ) : (
          <p className={classes.none}>
            <Link to={all}>{allName ?? t('all', { count: count + 1 })}</Link>
          </p>
        ))}
    </section>
  );
}
