/** The documentation site, in English at /docs/ and in Chinese at /docs/zh/. Built by `npm start`, served by the api. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { katex } from '@mdit/plugin-katex';
import { type DefaultTheme, type SiteConfig, defineConfig } from 'vitepress';
import { searchWords } from './theme/words.ts';
import { type Language, navigation, sections } from './pages.ts';

const INLINE_SCRIPT = /<script( id="[\w-]+")?>(.*?)<\/script>/gs;

/** The site's content security policy allows no inline scripts: each inline script is moved to a separate file. */
function withoutInlineScripts(html: string, { outDir, site }: Pick<SiteConfig, 'outDir' | 'site'>): string {
  return html.replace(INLINE_SCRIPT, (_, _id, code: string) => {
    const name = `inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    mkdirSync(join(outDir, 'assets'), { recursive: true });
    writeFileSync(join(outDir, 'assets', name), code);
    return `<script src="${site.base}assets/${name}"></script>`;
  });
}

/**
 * Width and height of a WebP file, from its extended header. Stated in the page, they keep the text in place while the
 * picture loads.
 */
function sizeOf(file: URL): readonly [width: number, height: number] {
  const header = readFileSync(file);
  return [header.readUIntLE(24, 3) + 1, header.readUIntLE(27, 3) + 1];
}

function themeOf(language: Language): DefaultTheme.Config {
  const chinese = language === 'zh';
  return {
    nav: navigation(language),
    sidebar: sections(language),
    outline: { level: [2, 3], label: chinese ? '本页目录' : 'On this page' },
    docFooter: chinese ? { prev: '上一页', next: '下一页' } : {},
    darkModeSwitchLabel: chinese ? '外观' : 'Appearance',
    lightModeSwitchTitle: chinese ? '切换到浅色模式' : 'Switch to light theme',
    darkModeSwitchTitle: chinese ? '切换到深色模式' : 'Switch to dark theme',
    sidebarMenuLabel: chinese ? '目录' : 'Menu',
    returnToTopLabel: chinese ? '返回顶部' : 'Return to top',
    langMenuLabel: chinese ? '语言' : 'Change language',
    skipToContentLabel: chinese ? '跳到正文' : 'Skip to content',
    notFound: chinese
      ? { title: '没有这一页', quote: '', linkLabel: '回到文档首页', linkText: '回到文档首页' }
      : { title: 'No such page', quote: '', linkLabel: 'Go to the start page', linkText: 'Start page' },
  };
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const searchOptions: DefaultTheme.LocalSearchOptions = {
  locales: {
    zh: {
      translations: {
        button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
        modal: {
          noResultsText: '没有结果：',
          resetButtonTitle: '清除',
          displayDetails: '显示详情',
          backButtonTitle: '关闭搜索',
          footer: { selectText: '选择', navigateText: '移动', closeText: '关闭' },
        },
      },
    },
  },
};
// Not enumerable: VitePress sends functions in the settings to the browser as text to be evaluated, which the content
// security policy forbids. The theme sets them in the browser (theme/index.ts).
Object.defineProperty(searchOptions, 'miniSearch', { value: searchWords });

export default defineConfig({
  base: '/docs/',
  outDir: 'dist',
  title: 'Unitcell',
  titleTemplate: `:title · Unitcell ${version}`,
  description: 'Documentation of Unitcell, the self-hosted materials database with analysis tools.',
  // By default, VitePress turns transitions off for a moment by an inline style, which the content security policy
  // forbids.
  appearance: { disableTransition: false },
  srcExclude: ['**/README.md'],
  markdown: {
    // The default light theme has keywords that are too pale on the background of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (md) => {
      const draw = md.renderer.rules.image;
      md.renderer.rules.image = (tokens, index, ...rest) => {
        const token = tokens[index];
        const source = token?.attrGet('src') ?? '';
        if (source.endsWith('.webp')) {
          const [width, height] = sizeOf(new URL(`../public${source}`, import.meta.url));
          token?.attrSet('width', String(width));
          token?.attrSet('height', String(height));
          // The picture for the dark theme may be hidden. With `loading="lazy"` a hidden picture is not loaded.
          if (token?.attrGet('class') === 'only-dark') token.attrSet('loading', 'lazy');
        }
        return draw?.(tokens, index, ...rest) ?? '';
      };
      katex(md as unknown as Parameters<typeof katex>[0], { output: 'mathml', throwOnError: true });
    },
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: themeOf('en') },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: 'Unitcell 文档：可自行部署的材料数据库与分析工具。',
      themeConfig: themeOf('zh'),
    },
  },
  themeConfig: { search: { provider: 'local', options: searchOptions } },
  transformHtml: (html, _id, { siteConfig }) =>
    withoutInlineScripts(html, siteConfig).replaceAll(/"\/docs\/zh\/contributing\/[^"]*"/g, '"/docs/zh/"'),
});
