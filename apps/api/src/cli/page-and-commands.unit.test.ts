/** docs/operations.md says by which command each action of the operator's page is done too: none is forgotten, and every command exists. */
import { readFileSync } from 'node:fs';
import { operateCalls } from '@unitcell/contract';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { unitcellProgram } from './program.ts';

const text = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
const table = text.slice(text.indexOf('| the page | the command |'));
const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);
const rows = table
  .slice(0, table.indexOf('\n\n'))
  .split('\n')
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | ').map(quoted));

/** Calls that change nothing. */
const READS = new Set([
  'people',
  'person',
  'submissions',
  'imports',
  'release',
  'queue',
  'health',
  'texts',
  'text/preview',
  'keys',
  'budgets',
  'storage',
  'backups',
  'audit',
]);
const paths = operateCalls.map(({ path }) => path.slice('/api/operate/'.length, -1));

/** What of a typed command the program does not know; undefined when it would run. */
function faultOf(typed: string): string | undefined {
  const words = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, whole, word]) => whole ?? word ?? '');
  let at: Command = unitcellProgram();
  for (let next = at; next; ) {
    at = next;
    const found = at.commands.find((command) => command.name() === words[0]);
    if (!found) break;
    words.shift();
    next = found;
  }
  if (at.commands.length > 0 && at.registeredArguments.length === 0) return `no command: ${typed}`;
  let given = 0;
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (!word.startsWith('--')) given++;
    else {
      const option = at.options.find(({ long }) => long === word);
      if (!option) return `no option ${word}: ${typed}`;
      if (option.required) words.shift();
    }
  }
  const needed = at.registeredArguments.filter(({ required }) => required).length;
  const isVariadic = at.registeredArguments.some(({ variadic }) => variadic);
  if (given < needed || (!isVariadic && given > at.registeredArguments.length))
    return `${given} arguments: ${typed}`;
  return undefined;
}

describe("the operator's page and the commands", () => {
  it('name a command for every call that changes something, and for no other', () => {
    expect([...READS].filter((path) => !paths.includes(path))).toEqual([]);
    const changes = paths.filter((path) => !READS.has(path));
    expect(rows.flatMap(([calls = []]) => calls).toSorted()).toEqual(changes.toSorted());
  });

  it.each(rows)('%j: each by a command that exists', (calls, commands = []) => {
    expect(commands).toHaveLength(calls.length);
    expect(commands.map(faultOf).filter(Boolean)).toEqual([]);
  });

  it('know a command that does not exist', () => {
    expect(faultOf('user forgive 17')).toBeDefined();
    expect(faultOf('user block')).toBeDefined();
    expect(faultOf('user delete 17 --gently')).toBeDefined();
  });
});
