/** What a release moved, by energy scale. */
import { Modal } from '@mantine/core';
import { operateRelease } from '@unitcell/contract/calls';
import { Link } from 'react-router-dom';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { Formula } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';
import { ListTable } from '../../../components/list-table.tsx';
import classes from './operate.module.css';
import { Answered } from './shared.tsx';

const MEV = 1000;
const inMev = (energy: number | null): string =>
  energy === null ? '–' : formatNumber(MEV * energy, { decimals: 1 });

export function ReleaseReport({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
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
            {files.length + hulls.length === 0 && <p className={classes.hint}>{t('noReport')}</p>}
            {files.map((file) => (
              <p key={file.path} className={classes.hint}>
                {file.path}: {t('accepted')} {formatCount(file.accepted)}, {t('refused')}{' '}
                {formatCount(file.refused)}, {t('duplicates')} {formatCount(file.duplicates)}
              </p>
            ))}
            {hulls.map((hull) => (
              <section key={hull.functional}>
                <h3 className={classes.sub}>{nameOf(hull.functional)}</h3>
                <p className={classes.hint}>
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
