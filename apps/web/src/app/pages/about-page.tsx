import { useOutletContext } from 'react-router-dom';
import { AboutTabs } from '../../features/about/components/about-tabs.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { ShellContext } from '../shell/outlet-context.ts';
import { shellTexts } from '../shell/texts.ts';

export function Page() {
  const { language } = useTexts(shellTexts);
  const { tools } = useOutletContext<ShellContext>();
  return (
    <AboutTabs
      tools={tools.map(({ path, title, hint }) => ({
        path,
        title: title[language],
        hint: hint?.[language] ?? '',
      }))}
    />
  );
}
