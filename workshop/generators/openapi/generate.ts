/** Writes docs/openapi.golden.json from the contract; `--check` compares instead. */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../../../apps/api/src/http/openapi/openapi-document.ts';

const FILE = new URL('../../../docs/openapi.golden.json', import.meta.url);

const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
  process.stdout.write(`docs/openapi.golden.json: ${text.length} bytes\n`);
} else if (readFileSync(FILE, 'utf8') === text)
  process.stdout.write('docs/openapi.golden.json is up to date\n');
else {
  process.stdout.write('docs/openapi.golden.json differs from the contract: npm run generate openapi\n');
  process.exitCode = 1;
}
