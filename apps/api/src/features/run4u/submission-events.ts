/** Live status: tells every open page of an account when one of its submissions changed. */
import { listenTo, type Listener } from '../../infra/notifications.ts';
import { SUBMISSION_CHANNEL } from './submissions.repository.ts';

/** Positions and estimates change by what others do: they are sent again after this time even when nothing is heard. */
const REFRESH_MILLISECONDS = 10_000;

export interface SubmissionEvents {
  /** Calls back after each change of the account's submissions, and now and then; answers how to stop. */
  subscribe(accountId: number, onChange: () => void): () => void;
  close(): Promise<void>;
}

export async function submissionEvents(
  databaseUrl: string,
  onError: (error: Error) => void,
): Promise<SubmissionEvents> {
  const subscribers = new Map<number, Set<() => void>>();
  const tell = (accountId: number): void => subscribers.get(accountId)?.forEach((onChange) => onChange());
  const tellAll = (): void => [...subscribers.keys()].forEach(tell);
  const listener: Listener = await listenTo(databaseUrl, SUBMISSION_CHANNEL, {
    // Whatever happened while the connection was down is caught up with.
    onListening: tellAll,
    onLost: (error) => error && onError(error),
    onMessage: (payload) => tell(Number(payload)),
  });
  const refresh = setInterval(tellAll, REFRESH_MILLISECONDS);
  refresh.unref();
  return {
    subscribe(accountId, onChange) {
      const own = subscribers.get(accountId) ?? new Set();
      subscribers.set(accountId, own.add(onChange));
      return () => {
        own.delete(onChange);
        if (own.size === 0) subscribers.delete(accountId);
      };
    },
    async close() {
      clearInterval(refresh);
      await listener.close();
    },
  };
}
