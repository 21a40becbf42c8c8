import { Link } from 'react-router-dom';
import { currentLanguage } from '../../i18n/i18n.ts';
import { useTexts } from '../../i18n/texts.ts';
import { navPages } from '../pages.ts';
import { openPalette } from '../shell/palette/palette-host.tsx';
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
      <p className={`uc-row ${classes.ways}`}>
        <button type="button" className={classes.find} onClick={openPalette}>
          {t('palette')}
        </button>
        <Link to="/">{t('toHome')}</Link>
      </p>
      <h2 className={classes.title}>{t('apps')}</h2>
      <ul className={`uc-list ${classes.tools}`}>
        {navPages('apps').map(({ path, title, hint }) => (
          <li key={path}>
            <Link to={path}>{title[currentLanguage()]}</Link>
            <span>{hint?.[currentLanguage()]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
