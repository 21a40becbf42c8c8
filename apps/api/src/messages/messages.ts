/** Server texts by language. */
import i18next, { type i18n } from 'i18next';
import { en, type MessageKey } from './en.ts';
import { zh } from './zh.ts';

export type { MessageKey };
export type Language = 'zh' | 'en';
export type MessageParameters = Readonly<Record<string, string | number>>;
export type Translate = (key: MessageKey, parameters?: MessageParameters) => string;

const instance: i18n = i18next.createInstance();
void instance.init({
  lng: 'zh',
  fallbackLng: 'en',
  resources: { en: { translation: en }, zh: { translation: zh } },
  // Keys hold dots, and the texts go into JSON, not into HTML.
  keySeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** The first language of an Accept-Language header that the product speaks; Chinese when there is none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  for (const entry of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const tag = entry.trim().slice(0, 2).toLowerCase();
    if (tag === 'zh' || tag === 'en') return tag;
  }
  return 'zh';
}

export const translator =
  (language: Language): Translate =>
  (key, parameters) =>
    instance.t(key, { lng: language, ...parameters });
