/** Record of a soak test: outcomes of requests, and all that the site acknowledged and must keep exactly once. */
import { withClient } from '@unitcell/tools/database';
import { send } from '../visit.ts';

/** `cut`: no answer, because the process was killed or not running. */
export type Fate = 'answered' | 'refused' | 'failed' | 'cut';

interface Submission {
  readonly id: number;
  readonly formula: string;
  readonly status: string;
  readonly struct_id: number | null;
}

const repeated = <T>(values: readonly T[]): T[] => values.filter((value, i) => values.indexOf(value) !== i);

export function openRecord() {
  /** `failed`: statuses of 500 and above, except 503, which is a refusal. */
  const calls: Record<string, Record<Fate | 'slowestMs', number>> = {};
  const outages: Record<string, { times: number; longestSeconds: number }> = {};
  let lastAnswer = performance.now();
  let silenceMs = 0;
  /** Token → mobile number. */
  const accounts = new Map<string, string>();
  /** Id → formula; every submission has a different formula. */
  const submissions = new Map<number, string>();
  /** Token → the last acknowledged name, and names tried since then. */
  const names = new Map<string, string[]>();

  /** Acknowledged data that are missing. */
  async function lost(site: string, stored: readonly Submission[]): Promise<string[]> {
    const found: string[] = [];
    for (const [token, mobile] of accounts) {
      const answer = await send(`${site}/api/arkid/get_user_infor/`, { token });
      const profile = (await answer.json()) as { mobile?: string; name?: string };
      if (answer.status !== 200 || profile.mobile !== mobile)
        found.push(`account ${mobile}: ${answer.status}`);
      const allowed = names.get(token);
      if (allowed && !allowed.includes(profile.name ?? ''))
        found.push(`the name ${allowed[0]} of ${mobile}: it is ${profile.name}`);
    }
    for (const [id, formula] of submissions) {
      const status = stored.find((row) => row.id === id)?.status ?? 'nothing';
      if (!['finished', 'existed'].includes(status))
        found.push(`submission ${id} of ${formula} became ${status}`);
    }
    return found;
  }

  return {
    accounts,
    submissions,
    note(call: string, fate: Fate, ms: number): void {
      const row = (calls[call] ??= { answered: 0, refused: 0, failed: 0, cut: 0, slowestMs: 0 });
      row[fate]++;
      if (fate !== 'answered') return;
      row.slowestMs = Math.max(row.slowestMs, Math.round(ms));
      silenceMs = Math.max(silenceMs, performance.now() - lastAnswer);
      lastAnswer = performance.now();
    },
    noteOutage(victim: string, seconds: number): void {
      const row = (outages[victim] ??= { times: 0, longestSeconds: 0 });
      row.times++;
      row.longestSeconds = Math.max(row.longestSeconds, seconds);
    },
    nameTried: (token: string, name: string): void =>
      void names.set(token, [...(names.get(token) ?? ['']), name]),
    nameKept: (token: string, name: string): void => void names.set(token, [name]),

    async areFinished(databaseUrl: string): Promise<boolean> {
      const { rows } = await withClient(databaseUrl, (client) =>
        client.query(`SELECT 1 FROM submission WHERE status IN ('queued', 'running') LIMIT 1`),
      );
      return rows.length === 0;
    },

    /** Prints tables and all lost or duplicated data. @returns whether there are none */
    async verify(site: string, databaseUrl: string): Promise<boolean> {
      const [stored, mobiles] = await withClient(databaseUrl, async (client) => [
        (await client.query<Submission>('SELECT id, formula, status, struct_id FROM submission')).rows,
        (await client.query<{ mobile: string }>('SELECT mobile FROM account WHERE mobile IS NOT NULL')).rows,
      ]);
      const made = stored.filter(({ status, struct_id }) => status === 'finished' && struct_id !== null);
      const gone = await lost(site, stored);
      const doubled = [
        ...repeated(mobiles.map(({ mobile }) => mobile)).map((mobile) => `account ${mobile}`),
        ...repeated(stored.map(({ formula }) => formula)).map((formula) => `submission of ${formula}`),
        ...repeated(made.map(({ struct_id }) => struct_id)).map((id) => `material ${id}`),
      ];
      console.table(calls);
      console.table(outages);
      console.log(
        [
          `lost ${gone.length}, doubled ${doubled.length} of ${accounts.size} accounts, ${submissions.size} submissions, ` +
            `${names.size} names; longest time without an answer ${(silenceMs / 1000).toFixed(1)} s`,
          ...gone.map((line) => `lost: ${line}`),
          ...doubled.map((line) => `doubled: ${line}`),
        ].join('\n'),
      );
      const failed = Object.values(calls).some((row) => row.failed > 0);
      return gone.length + doubled.length === 0 && !failed;
    },
  };
}

export type SoakRecord = ReturnType<typeof openRecord>;
