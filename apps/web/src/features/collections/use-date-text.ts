import { useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { collectionTexts } from './texts.ts';

/** Formats an instant as a date in the language of the page. */
export function useDateText(): (instant: string) => string {
  const { language } = useTexts(collectionTexts);
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium' });
    return (instant) => format.format(new Date(instant));
  }, [language]);
}
