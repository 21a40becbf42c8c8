/** `unitcell content import|export FOLDER`: the texts of the public pages as JSON and Markdown, one folder a language. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { type About, about, aboutRepository } from '../features/about/about.ts';
import type { Language } from '../messages/messages.ts';
import { CommandFailed, withContext } from './cli-context.ts';

const LANGUAGES: readonly Language[] = ['zh', 'en'];

const isMarkdown = (body: unknown): body is { markdown: string } =>
  typeof body === 'object' && body !== null && 'markdown' in body;

/** Reads `<folder>/<language>/<slug>.json|md` into the database; answers how many there were. */
export async function importContent(site: About, folder: string): Promise<number> {
  let count = 0;
  for (const language of LANGUAGES) {
    const names: string[] = await readdir(join(folder, language)).catch(() => []);
    for (const name of names.sort()) {
      const format = extname(name);
      if (format !== '.json' && format !== '.md') continue;
      const text = await readFile(join(folder, language, name), 'utf8');
      try {
        await site.save(
          basename(name, format),
          language,
          format === '.md' ? { markdown: text } : JSON.parse(text),
        );
      } catch (error) {
        throw new CommandFailed(`${language}/${name}: ${(error as Error).message}`);
      }
      count++;
    }
  }
  return count;
}

async function exportContent(site: About, folder: string): Promise<number> {
  let count = 0;
  for (const language of LANGUAGES) {
    await mkdir(join(folder, language), { recursive: true });
    for (const [slug, body] of await site.stored(language)) {
      const path = join(folder, language, slug);
      if (isMarkdown(body)) await writeFile(`${path}.md`, body.markdown);
      else await writeFile(`${path}.json`, `${JSON.stringify(body, null, 2)}\n`);
      count++;
    }
  }
  return count;
}

export function addContentCommand(program: Command): void {
  const content = program.command('content').description('texts of the public pages');
  content
    .command('import')
    .argument('<folder>', 'holds zh/ and en/ with .json and .md files')
    .action((folder: string) =>
      withContext(async ({ database, print }) => {
        const count = await importContent(about(aboutRepository(database)), folder);
        if (count === 0)
          throw new CommandFailed(`${folder} holds no zh/*.json, zh/*.md, en/*.json or en/*.md`);
        print(`${count} contents imported`);
      }),
    );
  content
    .command('export')
    .argument('<folder>', 'is made when absent')
    .action((folder: string) =>
      withContext(async ({ database, print }) =>
        print(`${await exportContent(about(aboutRepository(database)), folder)} contents exported`),
      ),
    );
}
