import { Link } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { shellTexts } from '../shell/texts.ts';
import classes from './not-found-page.module.css';

export function Page() {
  const { t } = useTexts(shellTexts);
  return (
    <div className={`uc-page ${classes.page}`}>
      <p className={classes.code} aria-hidden="true">
        404
      </p>
      <h1>{t('notFoundTitle')}</h1>
      <p>{t('notFoundText')}</p>
      <Link to="/matdata">{t('toSearch')}</Link>
    </div>
  );
}
