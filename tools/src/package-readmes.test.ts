/** Every package says what it is for, and names only what it has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';

const packages = inRepository('packages');

it.each(readdirSync(packages))(
  '%s: its README names functions it exports and files that are there',
  (name) => {
    const readme = join(packages, name, 'README.md');
    const text = readFileSync(readme, 'utf8');
    expect(text.startsWith(`# @unitcell/${name}\n`)).toBe(true);
    const source = join(packages, name, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const code = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
    const [, named = ''] = /^Begin with (.*);/m.exec(text) ?? [];
    for (const [, word] of named.matchAll(/`(\w+)`/g))
      expect(code).toMatch(new RegExp(`export (async )?(function\\*?|const|class) ${word}\\b`));
    for (const [, path = ''] of text.matchAll(/\]\((\.[^)#]*)/g))
      expect(existsSync(join(dirname(readme), path))).toBe(true);
  },
);
