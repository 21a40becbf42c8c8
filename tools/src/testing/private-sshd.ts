/**
 * A private sshd on loopback, for testing the ssh executor: a host key, one key that may sign in as the
 * current user, everything in one folder. Needs root and Debian's openssh-server, openssh-client and rsync.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../lib/run.mjs';
import { needProgram, startDaemon, untilListening } from '../system-programs.ts';
import { freePort } from '../postgres.ts';

export interface PrivateSshd {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly knownHosts: string;
  stop(): Promise<void>;
}

/** `folder` is empty and receives keys and configuration; `environment` is set for commands over ssh. */
export async function startPrivateSshd(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<PrivateSshd> {
  const sshd = needProgram('openssh-server');
  for (const name of ['openssh-client', 'rsync'] as const) needProgram(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Directory for sshd's privilege separation, which systemd creates for the system's sshd.
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  for (const name of ['host', 'user'])
    if (!existsSync(join(folder, name)))
      await mustRun('ssh-keygen', 'ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 });
  const [type, key] = readFileSync(join(folder, 'host.pub'), 'utf8').split(' ');
  const knownHosts = join(folder, 'known_hosts');
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${type} ${key}\n`);
  const set = Object.entries(environment).map(([name, value]) => `"${name}=${value}"`);
  writeFileSync(
    join(folder, 'sshd_config'),
    `ListenAddress 127.0.0.1:${port}
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/authorized_keys
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
${set.length > 0 ? `SetEnv ${set.join(' ')}\n` : ''}`,
  );
  const server = startDaemon(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')]);
  await untilListening(server, port);
  return {
    host: `${userInfo().username}@127.0.0.1`,
    port,
    key: join(folder, 'user'),
    knownHosts,
    stop: () => server.stop(),
  };
}
