import type { Language } from '../i18n/i18n.ts';

/** Address of a page of the documentation site, which is no page of this client. @param page such as `methods/xrd-matching` */
export const documentationAddress = (language: Language, page = ''): string =>
  `/docs/${language === 'zh' ? 'zh/' : ''}${page === '' ? '' : `${page}.html`}`;
