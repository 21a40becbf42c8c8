export interface Cluster {
  start(): Promise<{ url(database: string): string; adopted: boolean }>;
  /** Stops the server when no other process uses it. */
  stop(): Promise<boolean>;
  /** Stops it as a power cut would, and starts it again at the same address after the pause. */
  crash(pauseMs: number): Promise<void>;
}
export function openCluster(home: string, options?: { name?: string; durable?: boolean }): Cluster;
export function freePort(): Promise<number>;
