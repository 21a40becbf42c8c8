/** What tables and folders weigh. */
import { operateStorage } from '@unitcell/contract/calls';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/list-table.tsx';
import classes from '../components/operate.module.css';
import { Answered, PanelHead, sizeText } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

export function StoragePanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const asked = useAsked(operateStorage, {});
  return (
    <>
      <PanelHead title={frame.t('storage')} />
      <Answered asked={asked}>
        {({ database_bytes: whole, tables, folders, home, disk }) => (
          <>
            <dl className={classes.counts}>
              <div>
                <dt>{t('databaseSize')}</dt>
                <dd>{sizeText(whole)}</dd>
              </div>
              {disk && (
                <div>
                  <dt>{t('diskFree')}</dt>
                  <dd>
                    {sizeText(disk.free)} / {sizeText(disk.total)}
                  </dd>
                </div>
              )}
            </dl>
            <h3 className={classes.sub}>{t('folders', { home })}</h3>
            <ListTable
              label={t('folders', { home })}
              rows={folders}
              rowKey={({ name }) => name}
              empty={t('noFolders')}
              columns={[
                { id: 'folder', header: t('folder'), render: ({ name }) => name },
                {
                  id: 'files',
                  header: t('files'),
                  isNumeric: true,
                  render: ({ files, is_more: isMore }) =>
                    isMore ? t('orMore', { n: formatCount(files) }) : formatCount(files),
                },
                { id: 'size', header: t('weighs'), isNumeric: true, render: ({ bytes }) => sizeText(bytes) },
              ]}
            />
            <h3 className={classes.sub}>{t('tables')}</h3>
            <ListTable
              label={t('tables')}
              rows={tables}
              rowKey={({ name }) => name}
              empty="–"
              columns={[
                { id: 'table', header: t('table'), render: ({ name }) => <code>{name}</code> },
                { id: 'rows', header: t('rows'), isNumeric: true, render: ({ rows }) => formatCount(rows) },
                { id: 'size', header: t('weighs'), isNumeric: true, render: ({ bytes }) => sizeText(bytes) },
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}
