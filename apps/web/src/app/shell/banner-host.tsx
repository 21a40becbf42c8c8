/** Shows the current banner. */
import { IconX } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { closeBanner, useBanner } from '../../lib/banner.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

export function BannerHost() {
  const { t } = useTexts(shellTexts);
  const banner = useBanner();
  if (!banner) return null;
  return (
    <output className={classes.banner} data-tone={banner.tone}>
      {banner.message}
      <button
        type="button"
        className={classes.bannerButton}
        aria-label={t('closeBanner')}
        onClick={closeBanner}
      >
        <IconX size={14} aria-hidden="true" />
      </button>
    </output>
  );
}
