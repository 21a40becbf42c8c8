/**
 * Tests that every action of the operator's page has a command. docs/operating/operations.md has the same table.
 */
import { calls } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { unitcellProgram } from './program.ts';

/** Calls below `/api/operate/` that change something, with the equivalent command. */
const COMMANDS: Readonly<Record<string, string>> = {
  'person/block': 'user block 17',
  'person/unblock': 'user unblock 17',
  'person/role': 'user role 17 internal',
  'person/quota': 'user quota 17 10',
  'person/sessions': 'user log-out 17',
  'person/factor': 'user reset-second-factor 17',
  'person/delete': 'user delete 17 --yes',
  invite: 'user invite --name Marie',
  'submission/cancel': 'run4u cancel 5',
  'submission/retry': 'run4u retry 5',
  drain: 'run4u drain',
  'job/retry': 'queue retry 5',
  'job/remove': 'queue remove 5',
  'report/answer': 'entry-report answer 7 Corrected.',
  'text/save': 'content import texts',
  'key/revoke': 'api-key revoke 3',
  'backup/now': 'backup now',
  'backup/schedule': 'backup schedule 2:15',
};

const READ_ONLY =
  'people person submissions reports imports release queue health texts text/preview keys budgets storage backups audit';

const program = await unitcellProgram();

/** Returns the reason why the program rejects these arguments; undefined if it accepts them. */
function faultOf(typed: string): string | undefined {
  const words = typed.split(' ');
  let at = program;
  for (;;) {
    const found = at.commands.find((command) => command.name() === words[0]);
    if (!found) break;
    words.shift();
    at = found;
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
  return given < needed || (!isVariadic && given > at.registeredArguments.length)
    ? `${given} arguments: ${typed}`
    : undefined;
}

describe("actions of the operator's page", () => {
  it('each have a command', () => {
    const paths = calls
      .filter(({ group }) => group === 'operate')
      .map(({ path }) => path.slice('/api/operate/'.length, -1));
    expect([...READ_ONLY.split(' '), ...Object.keys(COMMANDS)].toSorted()).toEqual(paths.toSorted());
  });

  it.each(Object.values(COMMANDS))('the program knows `unitcell %s`', (command) => {
    expect(faultOf(command)).toBeUndefined();
  });

  it.each(['user forgive 17', 'user block', 'user delete 17 --gently'])(
    'the program does not know `unitcell %s`',
    (command) => {
      expect(faultOf(command)).toBeDefined();
    },
  );
});
