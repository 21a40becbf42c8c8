/** Changes to the catalogue: running imports and derivations, files, releases and their reports. */
import { Button, Modal } from '@mantine/core';
import type { CallAnswer } from '@unitcell/contract';
import { operateImports, operateRelease } from '@unitcell/contract/calls';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { Formula } from '../../../components/formula.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import { Answered, durationText, Mark, PanelHead, sizeText, useTimes } from '../components/shared.tsx';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';

/** Changes in a release, by energy scale. */
const MEV = 1000;
const inMev = (energy: number | null): string =>
  energy === null ? '–' : formatNumber(MEV * energy, { decimals: 1 });

function ReleaseReport({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTexts(workTexts);
  const frame = useTexts(operateTexts);
  const nameOf = useScaleName();
  const asked = useAsked(operateRelease, { id });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('reportOf', { id })}
      size="46rem"
      closeButtonProps={{ 'aria-label': frame.t('close') }}
    >
      <Answered asked={asked}>
        {({ files, hulls }) => (
          <>
            {files.length + hulls.length === 0 && (
              <p className={`uc-note ${classes.hint}`}>{t('noReport')}</p>
            )}
            {files.map((file) => (
              <p key={file.path} className={`uc-note ${classes.hint}`}>
                {file.path}: {t('accepted')} {formatCount(file.accepted)}, {t('refused')}{' '}
                {formatCount(file.refused)}, {t('duplicates')} {formatCount(file.duplicates)}
              </p>
            ))}
            {hulls.map((hull) => (
              <section key={hull.functional}>
                <h3 className={classes.sub}>{nameOf(hull.functional)}</h3>
                <p className={`uc-note ${classes.hint}`}>
                  {t('changed', {
                    changed: formatCount(hull.changed),
                    compared: formatCount(hull.compared),
                    became: formatCount(hull.became_stable),
                    ceased: formatCount(hull.ceased_to_be_stable),
                  })}
                </p>
                <DataTable
                  isList
                  label={nameOf(hull.functional)}
                  rows={hull.largest}
                  rowKey={(change) => change.struct_id}
                  empty={t('noChanges')}
                  columns={[
                    {
                      id: 'material',
                      header: t('material'),
                      render: ({ struct_id: structId, formula }) => (
                        <Link to={`/matdatades/${structId}`}>
                          <Formula text={formula} /> {structId}
                        </Link>
                      ),
                    },
                    {
                      id: 'before',
                      header: t('before'),
                      isNumeric: true,
                      render: ({ before }) => inMev(before),
                    },
                    { id: 'after', header: t('after'), isNumeric: true, render: ({ after }) => inMev(after) },
                  ]}
                />
              </section>
            ))}
          </>
        )}
      </Answered>
    </Modal>
  );
}

type Work = CallAnswer<typeof operateImports>['under_way'][number];
const STALLED_SECONDS = 60;

export function ImportsPanel() {
  const { t } = useTexts(workTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const asked = useAsked(operateImports, {}, 3_000);
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <>
      <PanelHead title={frame.t('imports')} />
      <Answered asked={asked}>
        {({ under_way: underWay, waiting, files, releases, refused, dumps }) => (
          <>
            {underWay.length === 0 && <p className={`uc-note ${classes.hint}`}>{t('nothingUnderWay')}</p>}
            {underWay.map((work) => (
              <Progress key={work.id} work={work} />
            ))}
            {waiting.systems + waiting.windows > 0 && (
              <p className={`uc-note ${classes.hint}`}>{t('waiting', waiting)}</p>
            )}
            <h3 className={classes.sub}>{t('releases')}</h3>
            <DataTable
              isList
              label={t('releases')}
              rows={releases}
              rowKey={({ id }) => id}
              empty={t('noReleases')}
              columns={[
                { id: 'number', header: t('number'), render: ({ id }) => id },
                { id: 'kind', header: t('kind'), render: ({ kind }) => kind },
                {
                  id: 'accepted',
                  header: t('accepted'),
                  isNumeric: true,
                  render: ({ accepted }) => (accepted === null ? '–' : formatCount(accepted)),
                },
                {
                  id: 'finished',
                  header: t('published'),
                  render: (row) =>
                    row.finished_at === null ? (
                      <Mark tone="watch">{t('notFinished')}</Mark>
                    ) : (
                      time(row.finished_at)
                    ),
                },
                {
                  id: 'actions',
                  header: frame.t('actions'),
                  isActions: true,
                  render: ({ id }) => (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={`${t('report')}: ${id}`}
                      onClick={() => setOpened(id)}
                    >
                      {t('report')}
                    </Button>
                  ),
                },
              ]}
            />
            <h3 className={classes.sub}>{t('gate')}</h3>
            <DataTable
              isList
              label={t('gate')}
              rows={refused}
              rowKey={({ file }) => file}
              empty={t('noGate')}
              columns={[
                { id: 'read', header: t('read'), render: ({ at }) => time(at) },
                {
                  id: 'reason',
                  header: t('reason'),
                  isWrapped: true,
                  render: ({ surprises }) => <span lang="en">{surprises.join('; ') || '–'}</span>,
                },
                { id: 'file', header: t('report'), isWrapped: true, render: ({ file }) => file },
              ]}
            />
            <h3 className={classes.sub}>{t('files')}</h3>
            <DataTable
              isList
              label={t('files')}
              rows={files}
              rowKey={({ path, started_at: startedAt }) => `${path} ${startedAt}`}
              empty={t('noFiles')}
              columns={[
                { id: 'file', header: t('file'), isWrapped: true, render: ({ path }) => path },
                {
                  id: 'accepted',
                  header: t('accepted'),
                  isNumeric: true,
                  render: ({ accepted }) => formatCount(accepted),
                },
                {
                  id: 'refused',
                  header: t('refused'),
                  isNumeric: true,
                  render: (row) => formatCount(row.refused),
                },
                {
                  id: 'duplicates',
                  header: t('duplicates'),
                  isNumeric: true,
                  render: ({ duplicates }) => formatCount(duplicates),
                },
                {
                  id: 'read',
                  header: t('read'),
                  render: (row) =>
                    row.finished_at === null ? (
                      <Mark tone="watch">{t('notFinished')}</Mark>
                    ) : (
                      time(row.finished_at)
                    ),
                },
              ]}
            />
            <h3 className={classes.sub}>{t('dumps')}</h3>
            <DataTable
              isList
              label={t('dumps')}
              rows={dumps}
              rowKey={({ release }) => release}
              empty={t('noDumps')}
              columns={[
                { id: 'number', header: t('number'), render: ({ release }) => release },
                { id: 'published', header: t('published'), render: (row) => time(row.published_at) },
                {
                  id: 'materials',
                  header: t('materials'),
                  isNumeric: true,
                  render: ({ materials }) => formatCount(materials),
                },
                { id: 'size', header: t('size'), isNumeric: true, render: ({ bytes }) => sizeText(bytes) },
              ]}
            />
            {opened !== null && <ReleaseReport id={opened} onClose={() => setOpened(null)} />}
          </>
        )}
      </Answered>
    </>
  );
}

function Progress({ work }: { readonly work: Work }) {
  const { t } = useTexts(workTexts);
  const isStalled = work.seconds_ago > STALLED_SECONDS;
  const share = work.total > 0 ? work.done / work.total : 0;
  const name = `${t(work.kind)}${work.detail && ` · ${work.detail}`}`;
  return (
    <div className={classes.bar}>
      <span>
        {name} · {Math.floor(100 * share)} %
      </span>
      <progress value={share} max={1} aria-label={name} />
      {isStalled && <Mark tone="watch">{t('stalled', { time: durationText(work.seconds_ago) })}</Mark>}
    </div>
  );
}
