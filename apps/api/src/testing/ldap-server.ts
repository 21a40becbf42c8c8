/** A real LDAP directory (OpenLDAP's slapd) on loopback, for tests. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Daemon, needProgram, startDaemon, untilListening } from '@unitcell/tools/system-programs';
import { freePort } from '@unitcell/tools/postgres';

export interface LdapServer {
  readonly url: string;
  /** Environment variables that point a site at the server. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const BASE = 'dc=institute,dc=example';
const READER = { dn: `cn=reader,${BASE}`, password: 'reader-password' };

/** Returns a folder of slapd, installed by the system's package or unpacked next to the program. */
const installed = (program: string, path: string): string =>
  [join(dirname(program), '../..', path), join('/', path)].find((place) => existsSync(place)) ?? `/${path}`;

function configuration(program: string, folder: string): string {
  const schemas = installed(program, 'etc/ldap/schema');
  const modules = installed(program, 'usr/lib/ldap');
  const database = readdirSync(modules).some((name) => name.startsWith('back_mdb')) ? 'mdb' : 'ldif';
  return `
${['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`).join('\n')}
modulepath ${modules}
${database === 'mdb' ? 'moduleload back_mdb' : ''}
moduleload memberof
pidfile ${folder}/pid
database ${database}
suffix "${BASE}"
rootdn "${READER.dn}"
rootpw ${READER.password}
directory ${folder}/data
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by users read by anonymous none
`;
}

export interface LdapPerson {
  readonly uid: string;
  readonly cn: string;
  readonly password: string;
}

const ldif = (people: readonly LdapPerson[]): string =>
  [
    `dn: ${BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Institute\ndc: institute`,
    `dn: ou=people,${BASE}\nobjectClass: organizationalUnit\nou: people`,
    `dn: ou=groups,${BASE}\nobjectClass: organizationalUnit\nou: groups`,
    ...people.map(
      ({ uid, cn, password }) =>
        `dn: uid=${uid},ou=people,${BASE}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn:: ${Buffer.from(cn).toString('base64')}\nsn: ${uid}\nuserPassword: ${password}`,
    ),
  ].join('\n\n');

export async function startLdapServer(people: readonly LdapPerson[]): Promise<LdapServer> {
  const program = needProgram('slapd');
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-ldap-'));
  mkdirSync(join(folder, 'data'));
  const settings = join(folder, 'slapd.conf');
  writeFileSync(settings, configuration(program, folder));
  writeFileSync(join(folder, 'people.ldif'), ldif(people));
  execFileSync(program, ['-T', 'add', '-f', settings, '-l', join(folder, 'people.ldif')]);
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  let server: Daemon | undefined;

  async function start(): Promise<void> {
    server = startDaemon(program, ['-f', settings, '-h', url, '-d', '0']);
    await untilListening(server, port);
  }
  const stop = async (): Promise<void> => server?.stop();
  await start();
  return {
    url,
    env: {
      LDAP_URL: url,
      LDAP_BASE_DN: BASE,
      LDAP_BIND_DN: READER.dn,
      LDAP_BIND_PASSWORD: READER.password,
      LDAP_LABEL: 'Staff directory',
    },
    start,
    stop,
    async close() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
