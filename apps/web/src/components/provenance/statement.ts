/** Sentences of sources in the language of the page: citations stay as they are, the words around them are translated. */
import type { Language } from '../../i18n/i18n.ts';
import { PHRASES } from './statement-phrases.ts';

export const statementIn = (statement: string, language: Language): string =>
  language === 'zh'
    ? PHRASES.reduce((text, [phrase, translation]) => text.replaceAll(phrase, translation), statement)
    : statement;
