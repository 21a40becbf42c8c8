import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import postcssPresetMantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';
import { pages, robotsTxt } from './src/app/pages.ts';

/**
 * Decides which modules share a file. A browser loads only six files at a time, and by default the bundler makes a file
 * of half a kilobyte for each set of pages that share something. React has a separate file, because it changes less
 * often than our code and need not be sent again with each release. All other code that runs before a page's own code
 * is the group `program`. Code shared by many pages is grouped by layer, so that no page waits for layers that it does
 * not use: a material has no floating menus, a prediction no tables. The minimum counts grow with the number of pages.
 */
const chunkGroups = [
  {
    name: 'react',
    test: /node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
  },
  { name: 'program', tags: ['$initial' as const] },
  {
    name: 'tables',
    test: /@tanstack[\\/](?:table|react-table|store|react-store)|use-sync-external-store|components[\\/]data-table/,
    minShareCount: 4,
  },
  {
    name: 'popups',
    test: /@floating-ui|components[\\/](?:FocusTrap|Overlay|Popover)[\\/]|utils[\\/]Floating|use-focus-(?:return|trap)/,
    minShareCount: 4,
  },
  {
    name: 'base',
    test: /@mantine[\\/](?:core[\\/]esm[\\/]core|hooks)|clsx|@tabler|@tanstack[\\/]query|apps[\\/]web[\\/]src[\\/](?:i18n|lib)|packages[\\/]/,
    minShareCount: 18,
    maxModuleSize: 10_000,
  },
  {
    name: 'controls',
    test: /@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:Button|Checkbox|CloseButton|Combobox|Input|Loader|NativeSelect|Portal|TextInput|Transition|UnstyledButton)/,
    minShareCount: 5,
  },
  {
    name: 'conditions',
    test: /components[\\/](?:open-gas|energy-scale|folded-filters|search-form)/,
    minShareCount: 4,
    maxModuleSize: 2500,
  },
  { name: 'components', test: /apps[\\/]web[\\/]src[\\/]components/, minShareCount: 14, maxModuleSize: 8000 },
].map((group, place, { length }) => ({
  ...group,
  priority: length - place,
  includeDependenciesRecursively: false,
}));

/**
 * Tells the document which files the page of an address needs, so that they are requested together with the program
 * (public/before-paint.js) and not after it has run. This saves one round trip to the server before the first paint.
 */
const pagePreloads = (): Plugin => ({
  name: 'page-preloads',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const withImports = (names: readonly string[], found = new Set<string>()): Set<string> => {
        for (const name of names) {
          if (found.has(name)) continue;
          found.add(name);
          withImports(byName.get(name)?.imports ?? [], found);
        }
        return found;
      };
      const always = withImports(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
      const filesOf = (module: string): string[] => {
        const ofPage = (folder: string) =>
          chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`${folder}/${module}.tsx`));
        const page = ofPage('/app/pages') ?? ofPage('');
        if (!page) throw new Error(`page-preloads: no chunk of ${module}.tsx; mend app/pages.ts`);
        const scripts = [...withImports([page.fileName])].filter((name) => !always.has(name));
        const styles = scripts.flatMap((name) => [...(byName.get(name)?.viteMetadata?.importedCss ?? [])]);
        return [...new Set([...styles, ...scripts])];
      };
      // Pages share most of their files, so each name is listed once and the pages refer to it by number.
      const byPage = pages
        .filter(({ path }) => path.startsWith('/'))
        .map(({ path, module }) => [path.split('/')[1], filesOf(module)] as const);
      const files = [...new Set(byPage.flatMap(([, names]) => names))];
      const numbers = byPage.map(([part, names]) => [part, names.map((name) => files.indexOf(name))]);
      // If several pages share the first part of their path, the first in the list is used: most addresses lead to
      // it.
      const content = JSON.stringify({ files, pages: Object.fromEntries(numbers.reverse()) });
      const fonts = Object.keys(bundle).filter((name) => /-latin-wght-normal-.*\.woff2$/.test(name));
      return [
        { tag: 'meta', attrs: { name: 'page-files', content }, injectTo: 'head-prepend' },
        // Fonts are requested before the style sheet is read, so that the first text uses them.
        ...fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${name}` },
        })),
      ];
    },
  },
});

/**
 * A second attempt for code that did not arrive. Browsers remember a module that failed to load until the page is left,
 * so the second attempt requests another address of the same file. Without it "Try again" never succeeds (Firefox,
 * Safari, Chromium up to 147).
 */
const secondTryOfCode = (): Plugin => ({
  name: 'second-try-of-code',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replaceAll(
            /\bimport\(([`"'])(\.\/[\w.-]+\.js)\1\)/g,
            '(u=>import(u).catch(()=>import(`${u}?again=${Date.now()}`)))("$2")',
          );
    },
  },
});

/** robots.txt, and the titles that the API puts into pages for programs that preview links (heads.json). */
const pageLists = (): Plugin => ({
  name: 'page-lists',
  generateBundle() {
    const heads = pages.map(({ path, title, hint }) => ({ path, title, hint }));
    this.emitFile({ type: 'asset', fileName: 'robots.txt', source: robotsTxt() });
    this.emitFile({ type: 'asset', fileName: 'heads.json', source: JSON.stringify(heads) });
  },
});

const { resolve: packageFile } = createRequire(import.meta.url);

/** The fonts may only be distributed together with their licence. */
const fontLicences = (): Plugin => ({
  name: 'font-licences',
  generateBundle() {
    for (const font of ['inter', 'source-serif-4'])
      this.emitFile({
        type: 'asset',
        fileName: `licences/${font}.txt`,
        source: readFileSync(packageFile(`@fontsource-variable/${font}/LICENSE`)),
      });
  },
});

export default defineConfig({
  plugins: [react(), pagePreloads(), pageLists(), fontLicences(), secondTryOfCode()],
  // plotly.js uses `global`, Node's name of the global object.
  define: { global: 'globalThis' },
  css: { postcss: { plugins: [postcssPresetMantine()] } },
  server: { proxy: { '/api': process.env.UNITCELL_API ?? 'http://127.0.0.1:3000' } },
  build: {
    target: 'es2022',
    // The preload polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    // Everything is a separate file, because the policy allows no inlined fonts or images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  worker: { format: 'es' },
});
