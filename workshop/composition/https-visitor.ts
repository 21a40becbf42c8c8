/** A visitor who believes one authority alone and knows where host names are: curl, as an institute's own check would use it. */
import { join } from 'node:path';
import { mustRun } from '../../tools/lib/run.mjs';

const ANSWER_SECONDS = 60;

export interface HttpsVisitor {
  /** Asks once, with a JSON body where there is one. @throws for any answer but 200 */
  ask<Answer>(url: string, asked?: { token?: string; body?: object }): Promise<Answer>;
  /** Follows an address with all its redirects, cookies kept. @returns status and address of the last */
  follow(url: string): Promise<{ status: number; url: URL }>;
  /** Status, HTTP version and target of one answer that is not followed. */
  look(url: string): Promise<{ status: number; version: string; to: string }>;
}

/**
 * @param folder for the cookies and the authority's certificate, `ca.pem`
 * @param places where each `host:port` really listens
 */
export function httpsVisitor(folder: string, places: Readonly<Record<string, string>>): HttpsVisitor {
  const jar = join(folder, 'cookies');
  const words = [
    '--silent',
    '--show-error',
    '--max-time',
    String(ANSWER_SECONDS),
    '--cacert',
    join(folder, 'ca.pem'),
    '--cookie',
    jar,
    '--cookie-jar',
    jar,
    ...Object.entries(places).flatMap(([name, place]) => ['--connect-to', `${name}:${place}`]),
  ];
  const curl = async (...args: string[]) => (await mustRun('curl', 'curl', [...words, ...args])).trim();
  return {
    async ask<Answer>(url: string, { token, body }: { token?: string; body?: object } = {}) {
      const said = await curl(
        '--fail-with-body',
        '--header',
        'accept-language: en',
        ...(token ? ['--header', `authorization: token ${token}`] : []),
        ...(body ? ['--header', 'content-type: application/json', '--data', JSON.stringify(body)] : []),
        url,
      );
      return JSON.parse(said) as Answer;
    },
    async follow(url) {
      const said = await curl(
        '--location',
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code} %{url_effective}',
        url,
      );
      const [status = '', at = ''] = said.split(' ');
      return { status: Number(status), url: new URL(at) };
    },
    async look(url) {
      const said = await curl(
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code} %{http_version} %{redirect_url}',
        url,
      );
      const [status = '', version = '', to = ''] = said.split(' ');
      return { status: Number(status), version, to };
    },
  };
}
