/** /operate: the administrators' page. Each section is loaded when first opened. */
import { type ComponentType } from 'react';
import { Skeleton } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { operateHealth } from '@unitcell/contract/calls';
import { ErrorPanel, PanelBoundary } from '../../components/failure.tsx';
import { ScrollFrame } from '../../components/scroll-frame.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { ApiError } from '../../lib/api-client.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useAsked } from './api/use-operate.ts';
import classes from './components/operate.module.css';
import { operateTexts } from './texts.ts';

const SECTIONS = {
  health: lazyPart(async () => (await import('./panels/queue-panel.tsx')).HealthPanel),
  people: lazyPart(async () => (await import('./panels/people-panel.tsx')).PeoplePanel),
  submissions: lazyPart(async () => (await import('./panels/submissions-panel.tsx')).SubmissionsPanel),
  reports: lazyPart(async () => (await import('./panels/reports-panel.tsx')).ReportsPanel),
  imports: lazyPart(async () => (await import('./panels/imports-panel.tsx')).ImportsPanel),
  queue: lazyPart(async () => (await import('./panels/queue-panel.tsx')).QueuePanel),
  texts: lazyPart(async () => (await import('./panels/texts-panel.tsx')).TextsPanel),
  keys: lazyPart(async () => (await import('./panels/storage-panel.tsx')).KeysPanel),
  budgets: lazyPart(async () => (await import('./panels/storage-panel.tsx')).BudgetsPanel),
  storage: lazyPart(async () => (await import('./panels/storage-panel.tsx')).StoragePanel),
  backups: lazyPart(async () => (await import('./panels/backups-panel.tsx')).BackupsPanel),
  audit: lazyPart(async () => (await import('./panels/audit-panel.tsx')).AuditPanel),
} as const satisfies Readonly<Record<string, ComponentType>>;

type SectionName = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as readonly SectionName[];

export function Page() {
  const { t } = useTexts(operateTexts);
  const [query] = useSearchParams();
  const section = NAMES.find((name) => name === query.get('section')) ?? 'health';
  // Checked on every section, so that someone who is not or no longer an administrator sees only the refusal.
  const health = useAsked(operateHealth, {}, 15_000);
  const isRefused = health.error instanceof ApiError && health.error.status === 403;
  const Section = SECTIONS[section];
  return (
    <div className={`uc-page ${classes.page}`}>
      <h1>{t('title')}</h1>
      {isRefused ? (
        <ErrorPanel error={health.error} />
      ) : (
        <>
          <p className={classes.lead}>{t('lead')}</p>
          <div className={classes.layout}>
            <nav className={classes.menu} aria-label={t('sections')}>
              <ScrollFrame>
                <ul>
                  {NAMES.map((name) => (
                    <li key={name}>
                      <Link to={`?section=${name}`} aria-current={name === section ? 'page' : undefined}>
                        {t(name)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </ScrollFrame>
            </nav>
            <div className={classes.panel}>
              <PanelBoundary key={section} waiting={<Skeleton height={240} />}>
                {health.data ? <Section /> : <Skeleton height={240} />}
              </PanelBoundary>
            </div>
          </div>
        </>
      )}
    </div>
  );
}
