import { useTexts } from '../../../i18n/texts.ts';
import { aboutTexts } from '../texts.ts';

export function Home() {
  const { t } = useTexts(aboutTexts);
  return <h1>{t('headline')}</h1>;
}
