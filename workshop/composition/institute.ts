/**
 * An institute's site, as docs/docker.md has it set up from nothing: HTTPS with a certificate of its own authority, sign-in by its
 * OpenID Connect provider, an administrator by invitation, two copies of everything, a nightly backup, figures in Prometheus.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOidcServer } from '../../tools/src/oidc-server.ts';
import { makeAuthority } from './authority.ts';
import type { Composition } from './composition.ts';
import { gatewayOfContainers } from './engine.ts';
import { type HttpsVisitor, httpsVisitor } from './https-visitor.ts';

const HOST = 'materials.test';
const SITE = `https://${HOST}`;
const PROVIDER = 'sso.test';
const METRICS_TOKEN = 'only-for-prometheus-to-read';
const PROMETHEUS_PORT = 9190;
const COPIES = 2;
const SCRAPED_SECONDS = 150;
const BACKUP_SECONDS = 240;
const FILES = ['deploy/compose/authority.yml', 'deploy/compose/monitoring.yml', 'institute.yml'];

/** @throws when it is not so within the time */
async function within<T>(seconds: number, what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(2000);
  }
}

async function seesHttps(visitor: HttpsVisitor): Promise<string> {
  const secure = await visitor.look(`${SITE}/`);
  const plain = await visitor.look(`http://${HOST}/matdata`);
  if (secure.status !== 200) throw new Error(`${SITE}/ answered ${secure.status}`);
  if (plain.status !== 308 || plain.to !== `${SITE}/matdata`)
    throw new Error(`plain HTTP answered ${plain.status} ${plain.to}`);
  return `HTTPS ${secure.status} over HTTP/${secure.version}, HTTP sent to it (308)`;
}

async function signsIn(visitor: HttpsVisitor): Promise<string> {
  const { url } = await visitor.ask<{ url: string }>(`${SITE}/api/arkid/oidc/login/`, {
    body: { redirect_uri: `${SITE}/account` },
  });
  const back = await visitor.follow(url);
  const token = back.url.searchParams.get('token');
  if (back.url.origin !== SITE || token === null) throw new Error(`the provider led to ${back.url}`);
  const profile = await visitor.ask<{ name: string; token: string; user_type: number }>(
    `${SITE}/api/arkid/get_user_infor/`,
    { token },
  );
  if (profile.user_type !== 2) throw new Error(`of the group staff, and not internal: ${profile.user_type}`);
  return `${profile.name} signed in, internal by group`;
}

/** By the link that the command printed. @returns the administrator's token */
async function acceptsInvitation(site: Composition, visitor: HttpsVisitor): Promise<string> {
  const said = await site.run(
    'exec',
    '-T',
    'api',
    'unitcell',
    'user',
    'invite',
    '--administrator',
    '--name',
    'Marie Curie',
  );
  const link = said.trim().split('\n').at(-1) ?? '';
  if (!link.startsWith(`${SITE}/`)) throw new Error(`the link leads elsewhere: ${link}`);
  const invite =
    new URL(link).searchParams.get('invite') ??
    new URLSearchParams(new URL(link).hash.slice(1)).get('invite');
  const { token } = await visitor.ask<{ token: string }>(`${SITE}/api/arkid/invite/login/`, {
    body: { invite },
  });
  return token;
}

async function health(visitor: HttpsVisitor, token: string): Promise<string> {
  const { parts } = await visitor.ask<{ parts: { part: string; state: string }[] }>(
    `${SITE}/api/operate/health/`,
    { token, body: {} },
  );
  const ill = parts.filter(({ state }) => state === 'down');
  if (ill.length > 0) throw new Error(`down: ${ill.map(({ part }) => part).join(', ')}`);
  return `/operate: ${parts.length} parts, none down`;
}

async function backsUp(site: Composition): Promise<string> {
  const backup = (...words: string[]) => site.run('exec', '-T', 'api', 'unitcell', 'backup', ...words);
  await backup('schedule', '15 2 * * *', '--keep', '14');
  await backup('now');
  const line = await within(BACKUP_SECONDS, 'a backup was verified', async () =>
    (await backup('list')).split('\n').find((text) => text.includes('verified')),
  );
  return `backup ${line.trim().replaceAll(/\s+/g, ' ')}`;
}

async function isScraped(): Promise<string> {
  const api = `http://127.0.0.1:${PROMETHEUS_PORT}/api/v1`;
  const wanted = Array.from({ length: COPIES }, () => ['unitcell up', 'unitcell-worker up'])
    .flat()
    .sort();
  await within(SCRAPED_SECONDS, 'Prometheus reads every copy', async () => {
    const { data } = await (await fetch(`${api}/targets?state=active`)).json();
    const seen = data.activeTargets.map(
      ({ labels, health: state }: { labels: { job: string }; health: string }) => `${labels.job} ${state}`,
    );
    return seen.sort().join() === wanted.join() ? true : undefined;
  });
  const { data } = await (await fetch(`${api}/rules`)).json();
  const rules = data.groups.flatMap(
    (group: { rules: { health: string; state: string; name: string }[] }) => group.rules,
  );
  const firing = rules.filter(({ state }: { state: string }) => state === 'firing');
  if (firing.length > 0) throw new Error(`firing: ${firing.map(({ name }: { name: string }) => name)}`);
  return `Prometheus reads ${wanted.length} copies and ${rules.length} rules, none fires`;
}

/** Sets the site up, looks at each part of it, and leaves it as it was. */
export async function walkInstitute(plain: Composition): Promise<string> {
  const folder = join(plain.folder, 'institute');
  await makeAuthority(folder, { site: HOST, sso: PROVIDER });
  const gateway = await gatewayOfContainers();
  const certificate = {
    key: readFileSync(join(folder, 'sso.key')),
    cert: readFileSync(join(folder, 'sso.pem')),
  };
  const oidc = await startOidcServer(SITE, { address: gateway, name: PROVIDER, certificate });
  oidc.nextUser = { sub: 'curie', name: 'Irène', groups: ['staff'] };
  const settings = { ...oidc.env, OIDC_INTERNAL_GROUPS: 'staff', METRICS_TOKEN };
  const site = plain.having(
    {
      PUBLIC_URL: SITE,
      WEB_TLS: 'certificate',
      TLS_DIRECTORY: folder,
      CA_CERTIFICATE: join(folder, 'ca.pem'),
      API_COPIES: String(COPIES),
      WORKER_COPIES: String(COPIES),
      METRICS_TOKEN,
      GRAFANA_PASSWORD: 'not-started-here',
      PROMETHEUS_PORT: String(PROMETHEUS_PORT),
    },
    ...FILES,
  );
  // Stands for the institute's name server; Grafana has no stand-in.
  const names = { extra_hosts: [`${PROVIDER}:${gateway}`] };
  const services = { api: names, worker: names, grafana: { profiles: ['not-here'] } };
  writeFileSync(join(plain.folder, 'institute.yml'), JSON.stringify({ services }));
  const { port } = new URL(plain.url);
  const visitor = httpsVisitor(folder, {
    [`${HOST}:443`]: `127.0.0.1:${Number(port) + 1}`,
    [`${HOST}:80`]: `127.0.0.1:${port}`,
    [`${PROVIDER}:${new URL(oidc.issuer).port}`]: `${gateway}:${new URL(oidc.issuer).port}`,
  });
  try {
    for (const [name, value] of Object.entries(settings)) plain.set(name, `'${value}'`);
    const begun = performance.now();
    await site.run('up', '--detach', '--wait', '--no-build');
    const up = `up after ${((performance.now() - begun) / 1000).toFixed(0)} s`;
    const seen = [up, await seesHttps(visitor), await signsIn(visitor)];
    seen.push(await health(visitor, await acceptsInvitation(site, visitor)));
    seen.push(await backsUp(site), await isScraped());
    return seen.join('; ');
  } finally {
    await site.attempt('rm', '--stop', '--force', 'prometheus');
    for (const name of Object.keys(settings)) plain.set(name, undefined);
    await oidc.close();
  }
}
