/** Dates and times in the language of the page. */
import type { Language } from './i18n.ts';

const FORMATS = {
  day: { dateStyle: 'medium' },
  instant: { dateStyle: 'medium', timeStyle: 'short' },
  time: { hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Intl takes milliseconds to load a format, so each is made once, when it is first needed. */
const made = new Map<string, Intl.DateTimeFormat>();

const textOf =
  (part: keyof typeof FORMATS) =>
  (iso: string, language: Language): string => {
    const key = `${part} ${language}`;
    const format =
      made.get(key) ?? new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', FORMATS[part]);
    made.set(key, format);
    return format.format(new Date(iso));
  };

/** `28 Nov 2026` */
export const dayText = textOf('day');
/** `28 Nov 2026, 05:30` */
export const instantText = textOf('instant');
/** `05:30` */
export const timeText = textOf('time');
