import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { searchWords } from './words.ts';
import './theme.css';

export default {
  extends: defaultTheme,
  enhanceApp({ siteData, router }) {
    siteData.value.themeConfig.search.options.miniSearch = searchWords;
    // The language menu links to the same page in the other language. Pages for contributors exist only in English.
    router.onBeforeRouteChange = (to) => {
      const exists = !to.startsWith('/docs/zh/contributing/');
      if (!exists) void router.go('/docs/zh/');
      return exists;
    };
  },
} satisfies Theme;
