/** The `pg` driver as the API has it installed; root scripts have no dependencies of their own. */
import { createRequire } from 'node:module';

const requireFromApi = createRequire(new URL('../../apps/api/package.json', import.meta.url));

export interface PgResult {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number | null;
}

export interface PgClient {
  connect(): Promise<void>;
  query(sql: string, values?: readonly unknown[]): Promise<PgResult>;
  query(stream: NodeJS.WritableStream): NodeJS.WritableStream;
  end(): Promise<void>;
}

export interface PgPool {
  query(sql: string, values?: readonly unknown[]): Promise<PgResult>;
  end(): Promise<void>;
}

export const pg = requireFromApi('pg') as {
  Client: new (options: { connectionString: string }) => PgClient;
  Pool: new (options: { connectionString: string; max: number }) => PgPool;
};

export const { from: copyFrom } = requireFromApi('pg-copy-streams') as {
  from(sql: string): NodeJS.WritableStream;
};
