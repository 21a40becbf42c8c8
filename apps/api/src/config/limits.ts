/**
 * How much one visitor, one process and one calculation may take. All such figures stand here; the operator changes them by
 * environment variables and `unitcell diagnose` shows those in force.
 */
import { availableParallelism } from 'node:os';

interface Figure {
  readonly default: number;
  readonly minimum: number;
  readonly meaning: string;
}

const FIGURES = {
  threads: {
    // One more than a single visitor may keep busy, so that the next one never waits for the first.
    default: Math.max(3, availableParallelism()),
    minimum: 1,
    meaning: 'threads that calculate for requests',
  },
  taskSeconds: { default: 20, minimum: 1, meaning: 'longest calculation of a request' },
  tasksWaiting: { default: 64, minimum: 0, meaning: 'calculations that may wait for a thread' },
  tasksPerOwner: { default: 2, minimum: 1, meaning: 'calculations of one account or key at a time' },
  tasksWaitingPerOwner: { default: 6, minimum: 0, meaning: 'further ones of the same owner that may wait' },
  calculationsPerMinute: { default: 120, minimum: 1, meaning: 'calls of one owner that may calculate' },
  uploadsPerMinute: { default: 20, minimum: 1, meaning: 'files one owner may send' },
  optimadePerMinute: { default: 600, minimum: 1, meaning: 'calls of one owner or address to OPTIMADE' },
  reflections: { default: 200_000, minimum: 1_000, meaning: 'reflections in one powder pattern' },
  matchSeconds: { default: 600, minimum: 1, meaning: 'longest step of a search among all patterns' },
  imagesAtOnce: { default: 1, minimum: 1, meaning: 'pictures decoded at a time' },
  imagesWaiting: { default: 8, minimum: 0, meaning: 'pictures that may wait for that' },
  imageMegapixels: { default: 25, minimum: 1, meaning: 'size of a picture' },
  // Two api processes, a worker and the queue stay below PostgreSQL's default of 100.
  databaseConnections: { default: 12, minimum: 2, meaning: 'connections of one process to the database' },
  // Some 200 clients that ask without a pause are still served within a second.
  callsAtOnce: { default: 200, minimum: 1, meaning: 'calls under way before new ones are refused' },
  databaseWaiting: {
    default: 200,
    minimum: 1,
    meaning: 'questions that may wait for a connection before new requests are refused',
  },
  databaseWaitSeconds: { default: 5, minimum: 1, meaning: 'longest wait of a request for a connection' },
  statementSeconds: { default: 20, minimum: 1, meaning: 'longest question of a request to the database' },
  // Shorter than the wait for a connection: who waits behind those that wait for a lock is still served.
  lockSeconds: { default: 3, minimum: 1, meaning: 'longest wait of a request for a lock in the database' },
  idleTransactionSeconds: {
    default: 10,
    minimum: 1,
    meaning: 'longest pause of a request within a transaction',
  },
  messagesPerHour: { default: 2000, minimum: 1, meaning: 'text messages the installation sends' },
  messagesToStrangersPerHour: {
    default: 1200,
    minimum: 1,
    meaning: 'of these, to numbers without an account: the rest is kept for members',
  },
  proofBelowPercent: {
    default: 50,
    minimum: 0,
    meaning: 'share of a budget of text messages below which each costs a proof of work; 0: never',
  },
  // Eight parts of 2^16 hashes each: about a second of a laptop, some of a phone.
  proofBits: {
    default: 16,
    minimum: 1,
    meaning: 'zero bits of each part of that proof; two more in the end',
  },
  streamsPerAccount: { default: 5, minimum: 1, meaning: 'open event streams of one account' },
} as const satisfies Readonly<Record<string, Figure>>;

export type Limits = Readonly<Record<keyof typeof FIGURES, number>>;

const variableOf = (name: string): string => `LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** The figures in force; adds a sentence to `problems` for each variable that is no whole number or below its minimum. */
export function readLimits(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[] = [],
): Limits {
  const entries = Object.entries<Figure>(FIGURES).map(([name, { default: usual, minimum }]) => {
    const variable = variableOf(name);
    const text = env[variable]?.trim();
    const value = Number(text || usual);
    if (!Number.isInteger(value) || value < minimum)
      problems.push(`${variable} is "${text}": expected a whole number of at least ${minimum}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Limits;
}

/** One line per figure: variable, value in force, meaning. */
export const describeLimits = (limits: Limits): string[] =>
  Object.entries<Figure>(FIGURES).map(
    ([name, { meaning }]) => `${variableOf(name)}=${limits[name as keyof Limits]} (${meaning})`,
  );
