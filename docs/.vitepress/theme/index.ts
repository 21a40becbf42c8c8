import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { searchWords } from './words.ts';
import './theme.css';

export default {
  extends: defaultTheme,
  enhanceApp({ siteData, router }) {
    siteData.value.themeConfig.search.options.miniSearch = searchWords;
    // The language menu links to the same page in the other language. Pages for contributors exist only in English: from
    // them it links to the start page, also for a click that opens a new tab.
    Object.defineProperty(siteData.value.themeConfig, 'i18nRouting', {
      configurable: true,
      enumerable: true,
      get: () => !router.route.data.relativePath.startsWith('contributing/'),
    });
  },
} satisfies Theme;
