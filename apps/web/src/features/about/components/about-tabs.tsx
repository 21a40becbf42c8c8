/** Introduction, team, milestones, advisory board and publications, each with its own address and heading. */
import type { AboutData } from '@unitcell/contract/about';
import { Link, matchPath, useLocation } from 'react-router-dom';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { openLogin, useToken } from '../../../lib/session.ts';
import { useAboutData } from '../../../lib/use-about-data.ts';
import { aboutTexts } from '../texts.ts';
import classes from './about.module.css';
import { MaybeLink, People } from './people.tsx';

const TABS = [
  { path: '/about', key: 'introduction' },
  { path: '/team', key: 'team' },
  { path: '/milestone', key: 'milestones' },
  { path: '/advisory', key: 'advisory' },
  { path: '/publication', key: 'publications' },
] as const;

type TabKey = (typeof TABS)[number]['key'];

/** A tool, titled as in the Apps menu. */
export interface ToolEntry {
  readonly path: string;
  readonly title: string;
  readonly hint: string;
}

export function AboutTabs({ tools }: { readonly tools: readonly ToolEntry[] }) {
  const { t } = useTexts(aboutTexts);
  const { pathname } = useLocation();
  const about = useAboutData();
  const current = TABS.find((tab) => matchPath(tab.path, pathname)) ?? TABS[0];
  return (
    <div className={`uc-page ${classes.about}`}>
      <nav aria-label={t('aboutNav')}>
        <ScrollFrame>
          <ul className={`uc-list ${classes.tabs}`}>
            {TABS.map((tab) => (
              <li key={tab.path}>
                <Link to={tab.path} aria-current={tab === current ? 'page' : undefined}>
                  {t(tab.key)}
                </Link>
              </li>
            ))}
          </ul>
        </ScrollFrame>
      </nav>
      <div className={classes.body}>
        <h1>{t(current.key)}</h1>
        {current.key === 'introduction' && <Introduction tools={tools} />}
        {about.isError && <ErrorPanel error={about.error} onRetry={() => void about.refetch()} />}
        {about.isPending && current.key !== 'introduction' && <p>{t('loading')}</p>}
        <PanelBoundary key={current.key}>
          {about.data && <TabContent tab={current.key} data={about.data} />}
        </PanelBoundary>
      </div>
    </div>
  );
}

function Introduction({ tools }: { readonly tools: readonly ToolEntry[] }) {
  const { t } = useTexts(aboutTexts);
  const isSignedIn = useToken() !== null;
  return (
    <div className={classes.prose}>
      <p>{t('introText')}</p>
      <p>{t('introText2')}</p>
      <h2>{t('introToolsTitle')}</h2>
      <ul className={`uc-list ${classes.tools}`}>
        {tools.map(({ path, title, hint }) => (
          <li key={path}>
            <Link
              to={path}
              onClick={(event) => {
                if (isSignedIn) return;
                event.preventDefault();
                openLogin(path);
              }}
            >
              {title}
            </Link>
            <span>{hint}</span>
          </li>
        ))}
      </ul>
      <h2>{t('introDataTitle')}</h2>
      <p>{t('introDataText')}</p>
      <h2>{t('introCiteTitle')}</h2>
      <p>
        {t('introCiteText')} <Link to="/publication">{t('introCiteLink')}</Link>
      </p>
    </div>
  );
}

function TabContent({ tab, data }: { readonly tab: TabKey; readonly data: AboutData }) {
  if (tab === 'team') return <Team data={data} />;
  if (tab === 'milestones') return <Milestones data={data} />;
  if (tab === 'advisory')
    return data.advisory_board.length > 0 ? <People people={data.advisory_board} /> : <Empty />;
  if (tab === 'publications') return <Publications data={data} />;
  return null;
}

function Empty() {
  const { t } = useTexts(aboutTexts);
  return <p className={classes.empty}>{t('empty')}</p>;
}

function Team({ data }: { readonly data: AboutData }) {
  const { t } = useTexts(aboutTexts);
  if (data.team.length + data.developers.length === 0) return <Empty />;
  return (
    <>
      <People people={data.team} />
      {data.developers.length > 0 && <h2>{t('developers')}</h2>}
      <ul className={`uc-list ${classes.people}`}>
        {data.developers.map((developer) => (
          <li key={developer.name}>
            <strong className={classes.personName}>{developer.name}</strong>
            <span className={`uc-hint ${classes.personTitle}`}>{developer.title}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Milestones({ data }: { readonly data: AboutData }) {
  const { t } = useTexts(aboutTexts);
  if (data.milestion.length + data.news.length === 0) return <Empty />;
  return (
    <>
      <ol className={`uc-list ${classes.timeline}`}>
        {data.milestion.map((entry) => (
          <li key={entry.date + entry.content}>
            <time>{entry.date}</time>
            <span>{entry.content}</span>
          </li>
        ))}
      </ol>
      {data.news.length > 0 && <h2>{t('news')}</h2>}
      <ul className={`uc-stack ${classes.linkList}`}>
        {data.news.map((entry) => (
          <li key={entry.title}>
            {entry.title}{' '}
            {entry.link !== '' && (
              <a
                href={entry.link}
                target="_blank"
                rel="noopener"
                aria-label={`${t('learnMore')}: ${entry.title}`}
              >
                {t('learnMore')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Publications({ data }: { readonly data: AboutData }) {
  if (data.publications.length === 0) return <Empty />;
  return (
    <ol className={`uc-stack ${classes.linkList}`}>
      {data.publications.map((entry) => (
        <li key={entry.title}>
          <MaybeLink href={entry.link}>{entry.title}</MaybeLink>
        </li>
      ))}
    </ol>
  );
}
