/** Does the database answer now? Asked on a connection of its own, so that no queue of requests is in the way. */
import pg from 'pg';

const ANSWER_MILLISECONDS = 2_000;

export interface DatabaseProbe {
  /** Answers within four seconds: two to connect, two to be answered. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

export function openDatabaseProbe(connectionString: string, onError: (error: Error) => void): DatabaseProbe {
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: ANSWER_MILLISECONDS,
    query_timeout: ANSWER_MILLISECONDS,
  });
  pool.on('error', onError);
  /** The question under way: those who ask meanwhile get its answer. */
  let asked: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      await pool.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      asked = null;
    }
  };
  return {
    isThere() {
      asked ??= ask();
      return asked;
    },
    close: () => pool.end(),
  };
}
