/** The measuring side of search.ts, in a process of its own: one task on standard input, one JSON object on standard output. */
import { text } from 'node:stream/consumers';
import { agent, post } from './own-api.ts';
import { pg } from './pg-from-api.ts';

interface Task {
  readonly kind: 'http' | 'pg';
  readonly mode: 'latency' | 'throughput';
  readonly url: string;
  readonly token?: string;
  readonly path?: string;
  readonly body?: object;
  readonly sql?: string;
  readonly values?: readonly unknown[];
  readonly requests?: number;
  readonly clients?: number;
  readonly seconds?: number;
}

const task = JSON.parse(await text(process.stdin)) as Task;
const clients = task.mode === 'latency' ? 1 : task.clients!;
const WARM_UP = 20;

/** Makes one request and answers how many rows or bytes came back. */
type Ask = () => Promise<number>;

function httpAsk(): { ask: Ask; close: () => Promise<void> } {
  const { url, token = '', path = '', body = {} } = task;
  return {
    ask: async () => (await post({ url, token }, path, body)).body.length,
    close: async () => agent.destroy(),
  };
}

function pgAsk(): { ask: Ask; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: task.url, max: Math.min(clients, 12) });
  return {
    ask: async () => (await pool.query(task.sql!, [...task.values!])).rows.length,
    close: () => pool.end(),
  };
}

const { ask, close } = task.kind === 'http' ? httpAsk() : pgAsk();
for (let i = 0; i < WARM_UP; i++) await ask();

if (task.mode === 'latency') {
  const times: number[] = [];
  let rows = 0;
  for (let i = 0; i < task.requests!; i++) {
    const start = performance.now();
    rows = await ask();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number(times[Math.floor(share * (times.length - 1))].toFixed(2));
  console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95), rows }));
} else {
  const end = performance.now() + task.seconds! * 1000;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await ask();
      done++;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: clients }, worker));
  console.log(JSON.stringify({ perSecond: Math.round(done / ((performance.now() - start) / 1000)) }));
}
await close();
