/** The footer: five links before the login; after the login also links to partner sites and institutions. */
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.ts';
import { documentationAddress } from '../../lib/documentation.ts';
import { isMailbox, useAboutData } from '../../lib/use-about-data.ts';
import { openHelp } from './help-host.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';
import { Wordmark } from './nav-bar.tsx';

/** Sites that users of this database may visit next. */
const FRIENDS = [
  { name: 'Crystallography Open Database', href: 'https://www.crystallography.net/cod/' },
  { name: 'OPTIMADE', href: 'https://www.optimade.org/' },
  { name: 'Bilbao Crystallographic Server', href: 'https://www.cryst.ehu.es/' },
];
const INSTITUTIONS = [
  { name: 'IUCr', href: 'https://www.iucr.org/' },
  { name: 'IUPAC', href: 'https://iupac.org/' },
];

export function Footer({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { t, language } = useTexts(shellTexts);
  const about = useAboutData();
  const contact = about.data?.contact ?? '';
  return (
    <footer className={classes.footer} aria-label={t('footer')}>
      <div className={`uc-page ${classes.footerInner}`} data-short={!isSignedIn || undefined}>
        <div className={classes.brand}>
          <Wordmark />
          <p className={classes.motto}>{t('motto')}</p>
          {about.data?.is_sample && <p className={classes.motto}>{t('sample')}</p>}
        </div>
        <div>
          {isSignedIn && <p className="uc-caption">{t('thisSite')}</p>}
          <ul className={`uc-list ${classes.links}`}>
            <li>
              <Link to="/protocal/user">{t('terms')}</Link>
            </li>
            <li>
              <Link to="/protocal/private">{t('privacy')}</Link>
            </li>
            <li>
              <Link to="/publication">{t('citing')}</Link>
            </li>
            <li>
              <Mailbox contact={contact} />
            </li>
            <li>
              <a href={documentationAddress(language)}>{t('documentation')}</a>
            </li>
            <li>
              <Link to="/reference">{t('reference')}</Link>
            </li>
            <li>
              <button type="button" className={classes.mailButton} onClick={openHelp}>
                {t('news')}
              </button>
            </li>
            {isMailbox(contact) && (
              <li>
                <a href={`mailto:${contact}?subject=Unitcell`}>{t('feedback')}</a>
              </li>
            )}
            <li>
              <Link to="/team">{t('join')}</Link>
            </li>
          </ul>
        </div>
        {isSignedIn && (
          <>
            <LinkColumn title={t('friends')} links={FRIENDS} />
            <LinkColumn title={t('institutions')} links={INSTITUTIONS} />
          </>
        )}
      </div>
    </footer>
  );
}

interface LinkColumnProps {
  readonly title: string;
  readonly links: readonly { readonly name: string; readonly href: string }[];
}

const LinkColumn = ({ title, links }: LinkColumnProps) => (
  <div>
    <p className="uc-caption">{title}</p>
    <ul className={`uc-list ${classes.links}`}>
      {links.map(({ name, href }) => (
        <li key={href}>
          <a href={href} rel="noopener" target="_blank">
            {name}
          </a>
        </li>
      ))}
    </ul>
  </div>
);

/** Shows the mail address on hover, focus or touch. */
function Mailbox({ contact }: { readonly contact: string }) {
  const { t } = useTexts(shellTexts);
  const [isShown, setShown] = useState(false);
  const bubbleId = useId();
  return (
    <span
      className={classes.mailbox}
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
    >
      <button
        type="button"
        className={classes.mailButton}
        aria-describedby={bubbleId}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={() => setShown(true)}
        onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
      >
        {t('api')}
      </button>
      <span id={bubbleId} role="tooltip" className={classes.bubble} data-shown={isShown || undefined}>
        {contact === '' ? t('apiNoMail') : t('apiHint', { mail: contact })}
      </span>
    </span>
  );
}
