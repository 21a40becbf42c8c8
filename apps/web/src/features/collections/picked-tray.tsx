/** What can be done with the materials that are chosen: it floats at the foot of the window. */
import { Link } from 'react-router-dom';
import { Formula } from '../../components/formula.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { AddToCollection } from './add-to-collection.tsx';
import { compareAddress, MOST_COMPARED } from '../../components/materials/compare-address.ts';
import classes from './collections.module.css';
import { collectionTexts } from './texts.ts';
import type { Picked } from '../../components/materials/use-picked.ts';

interface PickedTrayProps {
  readonly picked: Picked;
  readonly scale: string | null;
}

/** Named one by one, as far as there is room. */
const SHOWN = 6;

export function PickedTray({ picked, scale }: PickedTrayProps) {
  const { t } = useTexts(collectionTexts);
  const { materials, clear } = picked;
  if (materials.length === 0) return null;
  const ids = materials.map(({ structId }) => structId);
  return (
    <section className={classes.tray} aria-label={t('chosen', { count: ids.length, n: ids.length })}>
      <span className={classes.what}>
        <b>{t('chosen', { count: ids.length, n: ids.length })}</b>{' '}
        <span className={classes.names}>
          {materials.slice(0, SHOWN).map(({ structId, formula }, index) => (
            <span key={structId}>
              {index > 0 && ', '}
              <Formula text={formula} />
            </span>
          ))}
          {ids.length > SHOWN && ' …'}
        </span>
      </span>
      {ids.length >= 2 && ids.length <= MOST_COMPARED ? (
        <Link className={classes.main} to={compareAddress(ids, scale)}>
          {t('compare')}
        </Link>
      ) : (
        <span className={classes.hint}>{ids.length > MOST_COMPARED && t('compareMost')}</span>
      )}
      <AddToCollection ids={ids} />
      <button type="button" className={classes.trayButton} onClick={clear}>
        {t('clearChoice')}
      </button>
    </section>
  );
}
