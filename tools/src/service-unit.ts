import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { inRepository, root, unitcellHome } from '../lib/paths.mjs';
import { UserError } from '../lib/user-error.mjs';

const USAGE = 'Usage: npm run -s unitcell -- service print [--system]';
/**
 * Settings that are copied into the printed unit. All other settings belong in `.env`, because everyone may read a
 * unit.
 */
const KEPT = ['PORT', 'HOST'];

/** Quotes a text for systemd and doubles systemd's specifiers and escapes. */
const quoted = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** A systemd unit that runs this checkout with this Node. A system unit names the user who runs it. */
export function serviceUnit({
  system,
  env = process.env,
}: {
  system: boolean;
  env?: NodeJS.ProcessEnv;
}): string {
  const settings = {
    UNITCELL_HOME: unitcellHome(env),
    PATH: [...new Set([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
    ...Object.fromEntries(KEPT.filter((name) => env[name]).map((name) => [name, env[name] ?? ''])),
  };
  const environment = Object.entries(settings).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  );
  return `[Unit]
Description=Unitcell, a materials database
After=network-online.target
Wants=network-online.target

[Service]
${system ? `User=${userInfo().username}\n` : ''}WorkingDirectory=${root.replaceAll('%', '%%')}
# Further settings: ${inRepository('.env')}
${environment.join('\n')}
ExecStart=${quoted(process.execPath)} ${quoted(inRepository('tools/up.mjs'))}
Restart=on-failure
RestartSec=5
# The signal goes to the launcher only: it stops api and worker, then PostgreSQL.
KillMode=mixed
TimeoutStopSec=90
LimitNOFILE=65536
NoNewPrivileges=yes

[Install]
WantedBy=${system ? 'multi-user.target' : 'default.target'}
`;
}

/** The text printed by `unitcell service print [--system]`. */
export function serviceCommand([action, ...flags]: readonly string[]): string {
  if (action !== 'print' || flags.some((flag) => flag !== '--system')) throw new UserError(USAGE);
  return serviceUnit({ system: flags.includes('--system') });
}
