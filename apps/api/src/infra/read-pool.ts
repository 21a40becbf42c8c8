/** The pool of a read replica. While the replica is away the primary serves, so that no reader meets it. */
import pg from 'pg';
import { databaseTrouble } from './database-trouble.ts';

const LOOK_AGAIN_MILLISECONDS = 5_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A name that is not known is as good as a server that does not answer. */
const isAway = (error: unknown): boolean =>
  databaseTrouble(error) === 'away' ||
  /ENOTFOUND|EAI_AGAIN/.test(String((error as { code?: unknown })?.code));

export interface ReadPoolOptions {
  readonly replica: pg.PoolConfig;
  readonly primary: pg.Pool;
  /** Told when it goes and when it is back. */
  readonly onChange: (isAway: boolean, error?: Error) => void;
}

/** Connections to the replica; from the moment one is refused until one is made again, those of the primary. */
export class ReadPool extends pg.Pool {
  private looking: NodeJS.Timeout | undefined;
  private readonly primary: pg.Pool;
  private readonly onChange: ReadPoolOptions['onChange'];

  constructor({ replica, primary, onChange }: ReadPoolOptions) {
    super(replica);
    this.primary = primary;
    this.onChange = onChange;
  }

  private async take(): Promise<pg.PoolClient> {
    if (this.looking) return this.primary.connect();
    try {
      return await super.connect();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!this.looking) {
        this.onChange(true, error as Error);
        this.lookAgain();
      }
      return this.primary.connect();
    }
  }

  /** Nobody waits for a replica that is away: it is asked aside. */
  private lookAgain(): void {
    this.looking = setTimeout(() => void this.look(), LOOK_AGAIN_MILLISECONDS).unref();
  }

  private async look(): Promise<void> {
    try {
      (await super.connect()).release();
      this.looking = undefined;
      this.onChange(false);
    } catch {
      if (!this.ended) this.lookAgain();
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const taken = this.take();
    if (!callback) return taken;
    void this.hand(taken, callback);
  }

  /** What the pool's own `query` asks for. */
  private async hand(taken: Promise<pg.PoolClient>, callback: Connected): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await taken;
    } catch (error) {
      callback(error as Error, undefined, () => undefined);
      return;
    }
    callback(undefined, client, (release) => client.release(release as Error | boolean));
  }

  override async end(): Promise<void> {
    clearTimeout(this.looking);
    await super.end();
  }
}
