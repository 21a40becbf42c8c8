import { AboutTabs } from '../../features/about/components/about-tabs.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { navPages } from '../pages.ts';
import { shellTexts } from '../shell/texts.ts';

export function Page() {
  const { language } = useTexts(shellTexts);
  return (
    <AboutTabs
      tools={navPages('apps').map(({ path, title, hint }) => ({
        path,
        title: title[language],
        hint: hint?.[language] ?? '',
      }))}
    />
  );
}
