/** Theme and language of the page, for the bar and the palette. */
import { useMantineColorScheme } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import { setLanguage, useLanguage } from '../../i18n/i18n.ts';
import { queryClient } from '../../lib/api-client.ts';

export function useAppearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useLanguage();
  const { pathname } = useLocation();
  const isDark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  return {
    isDark,
    switchTheme: (): void => setColorScheme(isDark ? 'light' : 'dark'),
    async switchLanguage(): Promise<void> {
      await setLanguage(language === 'zh' ? 'en' : 'zh');
      // Spec §2.2: the home page is reloaded; elsewhere only server data are refetched, because they contain texts.
      if (pathname === '/') window.location.reload();
      else await queryClient.invalidateQueries();
    },
  };
}
