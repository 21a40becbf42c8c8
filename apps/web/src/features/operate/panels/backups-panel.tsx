/** What is known of backups. */
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../components/operate.module.css';
import { PanelHead } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

const COMMANDS = `unitcell backup unitcell-$(date +%F).backup.gz
unitcell restore unitcell-2026-11-21.backup.gz --yes`;

export function BackupsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  return (
    <>
      <PanelHead title={frame.t('backups')} />
      <p className={classes.hint}>{t('backupsHint')}</p>
      <code className={classes.code}>{COMMANDS}</code>
    </>
  );
}
