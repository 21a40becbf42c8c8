/** Receives PostgreSQL's NOTIFY on a dedicated connection, which reconnects automatically. */
import pg from 'pg';

/**
 * TCP probes after ten idle seconds. They let the operating system detect that the host of the server has
 * disappeared, and make firewalls keep an idle connection open. Otherwise a query or listener would wait
 * forever.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

const RECONNECT_MILLISECONDS = 1_000;

export interface NotificationHandlers {
  /** All notifications are received from now on; earlier notifications were missed. */
  onListening(): void;
  /** The connection broke: notifications are missed until `onListening`. */
  onLost(error?: Error): void;
  onMessage(payload: string): void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Starts listening; resolves after the first connection attempt, successful or not. */
export async function listenTo(
  databaseUrl: string,
  channel: string,
  handlers: NotificationHandlers,
): Promise<Listener> {
  let current: pg.Client | null = null;
  let isClosed = false;

  async function connect(): Promise<void> {
    if (isClosed) return;
    const client = new pg.Client({ connectionString: databaseUrl, ...KEEP_ALIVE });
    const lost = (error?: Error) => {
      if (current !== client) return;
      current = null;
      if (isClosed) return;
      handlers.onLost(error);
      setTimeout(() => void connect(), RECONNECT_MILLISECONDS).unref();
    };
    current = client;
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => handlers.onMessage(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      handlers.onListening();
    } catch (error) {
      lost(error as Error);
    }
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      await current?.end().catch(() => undefined);
    },
  };
}
