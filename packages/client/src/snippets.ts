/**
 * Shows the current request as a program for curl, Python or TypeScript. The program reads address and key from the
 * environment.
 */
import type { CallAddress } from '@unitcell/contract/calls';

export const SNIPPET_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export interface Snippet {
  readonly code: string;
  /** The content of `request.json`, a file next to the program, if the request is too long to show; otherwise null. */
  readonly request: string | null;
}

export interface SnippetOf {
  readonly call: CallAddress;
  /** The request body of the page; undefined for a GET. */
  readonly body: unknown;
  /** Address of the site. */
  readonly site: string;
  readonly language: SnippetLanguage;
  /** Language of the texts of an answer; default English. */
  readonly texts?: 'en' | 'zh';
}

/** Largest request, in characters, that is included in the program. */
const MAX_WRITTEN = 1500;
const FILE = 'request.json';
const WIDTH = 80;

/** Writes JSON in lines of readable length: short lists and objects stay on one line. */
function layOut(value: unknown, write: (text: unknown) => string, indent = ''): string {
  if (typeof value !== 'object' || value === null) return write(value);
  const pairs = Array.isArray(value)
    ? value.map((entry) => ['', entry] as const)
    : Object.entries(value).map(([name, entry]) => [`${JSON.stringify(name)}: `, entry] as const);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = (deeper: string) => pairs.map(([name, entry]) => name + layOut(entry, write, deeper));
  const line = `${open}${parts(indent).join(', ')}${close}`;
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  const deeper = `${indent}  `;
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part}`)
    .join(',\n')}\n${indent}${close}`;
}

const inPython = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

/** Escapes single quotes for a shell. */
const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

interface Parts extends SnippetOf {
  readonly isFile: boolean;
}

function curl({ call, body, site, isFile, texts = 'en' }: Parts): string {
  const isGet = call.method === 'GET';
  const data = () => (isFile ? `@${FILE}` : inShell(layOut(body, JSON.stringify)));
  return [
    `# export UNITCELL_KEY=uck_…`,
    `curl --silent --show-error --fail-with-body --compressed ${inShell(site + call.path)} \\`,
    `  --header 'Accept-Language: ${texts}' \\`,
    `  --header "Authorization: Bearer $UNITCELL_KEY"${isGet ? '' : ' \\'}`,
    ...(isGet ? [] : [`  --header 'Content-Type: application/json' \\`, `  --data ${data()}`]),
    '',
  ].join('\n');
}

function python({ call, body, site, isFile, texts }: Parts): string {
  const request =
    call.method === 'GET' ? '' : `, ${isFile ? `json.load(open("${FILE}"))` : layOut(body, inPython)}`;
  return [
    `# pip install ${site}/clients/unitcell.tar.gz; export UNITCELL_KEY=uck_…`,
    ...(isFile ? ['import json', ''] : []),
    'from unitcell import Client',
    '',
    `site = Client(${JSON.stringify(site)}${texts === 'zh' ? ', language="zh"' : ''})`,
    `answer = site.call(${JSON.stringify(call.path)}${request})`,
    '',
  ].join('\n');
}

function typescript({ call, body, site, isFile, texts }: Parts): string {
  const request =
    call.method === 'GET'
      ? 'undefined'
      : isFile
        ? `JSON.parse(await readFile('${FILE}', 'utf8'))`
        : layOut(body, JSON.stringify);
  return [
    `// npm install ${site}/clients/unitcell-client.tgz; export UNITCELL_KEY=uck_…`,
    ...(isFile ? [`import { readFile } from 'node:fs/promises';`] : []),
    `import { connect, ${call.name} } from '@unitcell/client';`,
    '',
    `const site = connect({ url: '${site}', key: process.env.UNITCELL_KEY!${texts === 'zh' ? ", language: 'zh'" : ''} });`,
    `const answer = await site.call(${call.name}, ${request});`,
    '',
  ].join('\n');
}

const WRITERS = { curl, python, typescript } as const;

/** The program that requests the answer shown on the page. */
export function snippetOf(wanted: SnippetOf): Snippet {
  const written = JSON.stringify(wanted.body ?? {});
  const isFile = wanted.call.method === 'POST' && written.length > MAX_WRITTEN;
  return { code: WRITERS[wanted.language]({ ...wanted, isFile }), request: isFile ? written : null };
}
