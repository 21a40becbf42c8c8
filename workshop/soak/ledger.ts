/** What the site has promised, and whether it was kept: nothing acknowledged may be lost, nothing may be there twice. */
import { withClient } from '@unitcell/tools/database';

interface Promised {
  readonly mobile: string;
  readonly token: string;
}

export interface Verdict {
  readonly accounts: number;
  readonly submissions: number;
  readonly names: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

export function openLedger() {
  const accounts: Promised[] = [];
  const submissions = new Map<number, string>();
  /** By account: names that were acknowledged or tried since the last that was. */
  const names = new Map<string, string[]>();
  return {
    accountMade: (account: Promised): void => void accounts.push(account),
    /** `formula` is of no other submission. */
    submitted: (id: number, formula: string): void => void submissions.set(id, formula),
    nameTried: (token: string, name: string): void =>
      void names.set(token, [...(names.get(token) ?? ['']), name]),
    nameKept: (token: string, name: string): void => void names.set(token, [name]),

    /** Whether all submissions that were acknowledged have come to an end. */
    async areFinished(databaseUrl: string): Promise<boolean> {
      const { rows } = await withClient(databaseUrl, (client) =>
        client.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM submission WHERE status IN ('queued', 'running')`,
        ),
      );
      return rows[0]?.n === 0;
    },

    async verify(site: string, databaseUrl: string): Promise<Verdict> {
      const lost: string[] = [];
      for (const { mobile, token } of accounts) {
        const answer = await fetch(`${site}/api/arkid/get_user_infor/`, {
          headers: { authorization: `token ${token}` },
        });
        const profile = (await answer.json()) as { mobile?: string; name?: string };
        if (answer.status !== 200 || profile.mobile !== mobile)
          lost.push(`account ${mobile}: ${answer.status}`);
        const allowed = names.get(token);
        if (allowed && !allowed.includes(profile.name ?? ''))
          lost.push(`the name ${allowed[0]} of ${mobile}: it is ${profile.name}`);
      }
      const stored = await withClient(databaseUrl, async (client) => ({
        submissions: (
          await client.query<{ id: number; formula: string; status: string; struct_id: number | null }>(
            'SELECT id, formula, status, struct_id FROM submission',
          )
        ).rows,
        mobiles: (
          await client.query<{ mobile: string }>(
            'SELECT mobile FROM account WHERE mobile IS NOT NULL GROUP BY mobile HAVING count(*) > 1',
          )
        ).rows,
      }));
      const byId = new Map(stored.submissions.map((row) => [row.id, row]));
      for (const [id, formula] of submissions) {
        const row = byId.get(id);
        if (!row) lost.push(`submission ${id} of ${formula}`);
        else if (row.status !== 'finished' && row.status !== 'existed')
          lost.push(`submission ${id} of ${formula} ended as ${row.status}`);
      }
      const twice = (of: readonly (string | number)[]): (string | number)[] =>
        of.filter((value, index) => of.indexOf(value) !== index);
      return {
        accounts: accounts.length,
        submissions: submissions.size,
        names: names.size,
        lost,
        doubled: [
          ...stored.mobiles.map(({ mobile }) => `account ${mobile}`),
          ...twice(stored.submissions.map(({ formula }) => formula)).map(
            (formula) => `submission of ${formula}`,
          ),
          ...twice(
            stored.submissions.flatMap(({ status, struct_id: id }) =>
              status === 'finished' && id !== null ? [id] : [],
            ),
          ).map((id) => `material ${id}`),
        ],
      };
    },
  };
}

export type Ledger = ReturnType<typeof openLedger>;
