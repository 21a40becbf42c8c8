/** Starts i18next: two languages, Chinese by default, kept in local storage as `languageSet`. */
import i18next from 'i18next';
import { observable, useObservable } from '../lib/observable.ts';
import { readStored, writeStored } from '../lib/storage.ts';

export type Language = 'zh' | 'en';

const LANGUAGE_KEY = 'languageSet';

const isLanguage = (value: string | null): value is Language => value === 'zh' || value === 'en';

/** Language from the address: a frame on another site has no stored language. */
const languageOfFrame = (): string | null =>
  typeof location !== 'undefined' && location.pathname.startsWith('/embed/')
    ? new URLSearchParams(location.search).get('lang')
    : null;

/** A stored value that is not a language is ignored. */
function storedLanguage(): Language {
  const stored = languageOfFrame() ?? readStored(LANGUAGE_KEY);
  return isLanguage(stored) ? stored : 'zh';
}

const showLanguage = (language: string): void => {
  if (typeof document !== 'undefined') document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
};

void i18next.init({
  lng: storedLanguage(),
  fallbackLng: false,
  supportedLngs: ['zh', 'en'],
  resources: {},
  // Keys are flat: dots and colons in keys and texts are literal.
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});
showLanguage(i18next.language);

export { i18next };

export const currentLanguage = (): Language => (i18next.language === 'en' ? 'en' : 'zh');

const shown = observable(currentLanguage());
i18next.on('languageChanged', (language) => {
  showLanguage(language);
  shown.set(currentLanguage());
});

/** The current language; the component re-renders when it changes. */
export const useLanguage = (): Language => useObservable(shown);

export async function setLanguage(language: Language): Promise<void> {
  writeStored(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
}
