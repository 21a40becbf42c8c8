/**
 * Tests to code of every package, in lines without blanks and comments: `*.test.ts` and what stands in `testing/` over all else in
 * `src`. Tables of facts (`data/`, `fields/*-fields.ts`) are neither, nor are fixtures and what is generated.
 *
 *     npx tsx scripts/test-share.ts
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_COUNTED = /(^|\/)(data|fixtures|generated)\/|fields\/[^/]*-fields\.ts$|\.examples\.ts$|\.d\.ts$/;
const IS_TEST = /\.test\.tsx?$|(^|\/)testing\//;

function linesOf(file: string): number {
  let isComment = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => {
      const text = line.trim();
      if (!isComment && text.startsWith('/*')) isComment = true;
      const isCode = !isComment && text !== '' && !text.startsWith('//');
      if (isComment && text.includes('*/')) isComment = false;
      return isCode;
    }).length;
}

for (const name of readdirSync('packages').sort()) {
  const source = join('packages', name, 'src');
  if (!existsSync(source)) continue;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !NOT_COUNTED.test(file),
  );
  const sum = (own: readonly string[]): number =>
    own.reduce((lines, file) => lines + linesOf(join(source, file)), 0);
  const tests = sum(files.filter((file) => IS_TEST.test(file)));
  const code = sum(files.filter((file) => !IS_TEST.test(file)));
  console.log(
    `${name.padEnd(20)} ${String(tests).padStart(6)} : ${String(code).padStart(6)} = ${(tests / code).toFixed(2)}`,
  );
}
