/** An authority of an institute's own, and certificates it signs, by openssl. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../tools/lib/run.mjs';

const DAYS = '7';
const openssl = (...args: string[]) => mustRun(`openssl ${args[0]}`, 'openssl', args);

/** Leaves `ca.pem` and, for each name, `NAME.pem` (with the chain) and `NAME.key` in a folder. */
export async function makeAuthority(folder: string, hosts: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    DAYS,
    '-subj',
    '/CN=Authority of an institute',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  for (const [name, host] of Object.entries(hosts)) {
    await openssl(
      'req',
      ...key,
      '-subj',
      `/CN=${host}`,
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.csr`),
    );
    writeFileSync(at(`${name}.cnf`), `subjectAltName=DNS:${host}\n`);
    await openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      '-days',
      DAYS,
      '-extfile',
      at(`${name}.cnf`),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-out',
      at(`${name}.pem`),
    );
    chmodSync(at(`${name}.key`), 0o600);
  }
  chmodSync(at('ca.pem'), 0o644);
}
