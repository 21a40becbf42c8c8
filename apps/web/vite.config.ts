import react from '@vitejs/plugin-react';
import postcssPresetMantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';

/** Libraries that change less often than our code get chunks of their own, so that a release re-sends little. */
const vendorChunks = [
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler|react-router)[\\/]/ },
];

/**
 * The contract's schemas check requests on the server; here they are types, which cost nothing. Their library would be
 * a fifth of the JavaScript of the home page, so the contract gets a stand-in for it that throws when somebody does
 * ask a schema to check something. Our own forms may import zod as ever. The examples of the API's description stay
 * behind too.
 */
const contractWithoutValidator = (): Plugin => ({
  name: 'contract-without-validator',
  enforce: 'pre',
  resolveId(source, importer) {
    const isContract = importer?.includes('/packages/contract/') ?? false;
    const isLeftOut = source === 'zod' || source.endsWith('.examples.ts');
    return isLeftOut && isContract ? this.resolve('/src/lib/schema-stand-in.ts', importer) : null;
  },
});

/** First part of an address, and the module of the page that answers it. */
const PAGE_MODULES = {
  '': 'home-page',
  about: 'about-page',
  unitcell: 'about-page',
  team: 'about-page',
  milestone: 'about-page',
  advisory: 'about-page',
  publication: 'about-page',
  methods: 'methods-page',
  protocal: 'protocol-page',
  matdata: 'matdata-page',
  matdatades: 'material-page',
} as const;

/**
 * Tells the document which files the page of an address needs, so that they are asked for together with the program
 * (public/before-paint.js) and not after it has run: one journey to the server less before the first look.
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
        const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/app/pages/${module}.tsx`));
        if (!page) throw new Error(`page-preloads: no chunk of app/pages/${module}.tsx; mend PAGE_MODULES`);
        const scripts = [...withImports([page.fileName])].filter((name) => !always.has(name));
        const styles = scripts.flatMap((name) => [...(byName.get(name)?.viteMetadata?.importedCss ?? [])]);
        return [...new Set([...styles, ...scripts])];
      };
      const content = JSON.stringify(
        Object.fromEntries(Object.entries(PAGE_MODULES).map(([part, module]) => [part, filesOf(module)])),
      );
      return [{ tag: 'meta', attrs: { name: 'page-files', content }, injectTo: 'head-prepend' }];
    },
  },
});

export default defineConfig({
  plugins: [contractWithoutValidator(), react(), pagePreloads()],
  // plotly.js expects Node's name of the global object.
  define: { global: 'globalThis' },
  css: { postcss: { plugins: [postcssPresetMantine()] } },
  server: { proxy: { '/api': process.env.UNITCELL_API ?? 'http://127.0.0.1:3000' } },
  build: {
    target: 'es2022',
    // The preload polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    // Everything is a file of its own: the policy allows no inlined fonts or images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: vendorChunks } } },
  },
  worker: { format: 'es' },
});
