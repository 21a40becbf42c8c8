/** Changes to the catalogue: running imports and derivations, files, releases and their reports. */
import { Button } from '@mantine/core';
import type { CallAnswer } from '@unitcell/contract';
import { operateImports, operateRelease } from '@unitcell/contract/calls';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useScaleName } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula } from '../../../components/formula.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber, MISSING } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import {
  Answered,
  Dialog,
  durationText,
  Mark,
  PanelHead,
  sizeText,
  useTimes,
} from '../components/shared.tsx';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';

const MEV = 1000;
const inMev = (energy: number | null): string =>
  energy === null ? MISSING : formatNumber(MEV * energy, { decimals: 1 });

/** Changes in a release, by energy scale. */
function ReleaseReport({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTexts(workTexts);
  const nameOf = useScaleName();
  const asked = useAsked(operateRelease, { id });
  return (
    <Dialog onClose={onClose} title={t('reportOf', { id })} size="46rem">
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
                <ListTable
                  label={nameOf(hull.functional)}
                  rows={hull.largest}
                  rowKey={(change) => change.struct_id}
                  empty={t('noChanges')}
                  columns={(column) => [
                    column(t('material'), ({ struct_id: structId, formula }) => (
                      <Link to={`/matdatades/${structId}`}>
                        <Formula text={formula} /> {structId}
                      </Link>
                    )),
                    column(t('before'), ({ before }) => inMev(before), 'isNumeric'),
                    column(t('after'), ({ after }) => inMev(after), 'isNumeric'),
                  ]}
                />
              </section>
            ))}
          </>
        )}
      </Answered>
    </Dialog>
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
            <ListTable
              label={t('releases')}
              rows={releases}
              rowKey={({ id }) => id}
              empty={t('noReleases')}
              columns={(column) => [
                column(t('number'), ({ id }) => id),
                column(t('kind'), ({ kind }) => kind),
                column(
                  t('accepted'),
                  ({ accepted }) => (accepted === null ? MISSING : formatCount(accepted)),
                  'isNumeric',
                ),
                column(t('published'), (row) =>
                  row.finished_at === null ? (
                    <Mark tone="watch">{t('notFinished')}</Mark>
                  ) : (
                    time(row.finished_at)
                  ),
                ),
                column(
                  frame.t('actions'),
                  ({ id }) => (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={`${t('report')}: ${id}`}
                      onClick={() => setOpened(id)}
                    >
                      {t('report')}
                    </Button>
                  ),
                  'isActions',
                ),
              ]}
            />
            <h3 className={classes.sub}>{t('gate')}</h3>
            <ListTable
              label={t('gate')}
              rows={refused}
              rowKey={({ file }) => file}
              empty={t('noGate')}
              columns={(column) => [
                column(t('read'), ({ at }) => time(at)),
                column(
                  t('reason'),
                  ({ surprises }) => <span lang="en">{surprises.join('; ') || MISSING}</span>,
                  'isWrapped',
                ),
                column(t('report'), ({ file }) => file, 'isWrapped'),
              ]}
            />
            <h3 className={classes.sub}>{t('files')}</h3>
            <ListTable
              label={t('files')}
              rows={files}
              rowKey={({ path, started_at: startedAt }) => `${path} ${startedAt}`}
              empty={t('noFiles')}
              columns={(column) => [
                column(t('file'), ({ path }) => path, 'isWrapped'),
                column(t('accepted'), ({ accepted }) => formatCount(accepted), 'isNumeric'),
                column(t('refused'), (row) => formatCount(row.refused), 'isNumeric'),
                column(t('duplicates'), ({ duplicates }) => formatCount(duplicates), 'isNumeric'),
                column(t('read'), (row) =>
                  row.finished_at === null ? (
                    <Mark tone="watch">{t('notFinished')}</Mark>
                  ) : (
                    time(row.finished_at)
                  ),
                ),
              ]}
            />
            <h3 className={classes.sub}>{t('dumps')}</h3>
            <ListTable
              label={t('dumps')}
              rows={dumps}
              rowKey={({ release }) => release}
              empty={t('noDumps')}
              columns={(column) => [
                column(t('number'), ({ release }) => release),
                column(t('published'), (row) => time(row.published_at)),
                column(t('materials'), ({ materials }) => formatCount(materials), 'isNumeric'),
                column(t('size'), ({ bytes }) => sizeText(bytes), 'isNumeric'),
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
