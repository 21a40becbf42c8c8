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

export default defineConfig({
  plugins: [contractWithoutValidator(), react()],
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
