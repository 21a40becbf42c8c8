import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs that is on the PATH (or exists, for an absolute name). */
export function findProgram(names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name.startsWith('/')) {
      if (existsSync(name)) return name;
      continue;
    }
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      if (directory !== '' && existsSync(join(directory, name))) return join(directory, name);
    }
  }
  return undefined;
}

/** Programs that tests of the institute tier run, by their Debian packages. */
const PROGRAMS = {
  'redis-server': ['redis-server', 'valkey-server'],
  'abinit gpaw-data libopenblas0-pthread': ['abinit'],
  caddy: ['caddy'],
  slapd: ['slapd', '/usr/sbin/slapd'],
  prometheus: ['promtool'],
} as const;

/** The path of the program. @throws Error that says what to install */
export function needProgram(packages: keyof typeof PROGRAMS): string {
  const path = findProgram(PROGRAMS[packages]);
  if (path) return path;
  throw new Error(
    `${PROGRAMS[packages][0]} is not installed. On Debian or Ubuntu: sudo apt-get install ${packages}`,
  );
}
