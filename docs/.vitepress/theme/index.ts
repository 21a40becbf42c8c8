import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { searchWords } from './words.ts';
import './theme.css';

export default {
  extends: defaultTheme,
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = searchWords;
  },
} satisfies Theme;
