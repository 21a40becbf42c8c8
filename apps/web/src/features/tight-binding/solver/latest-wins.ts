/** A queue of one: while a request is being worked on, only the newest of those that follow is kept. */
export interface LatestWins<Request> {
  readonly send: (request: Request) => void;
  /** The request at work is done: the one waiting goes next. */
  readonly done: () => void;
}

export function latestWins<Request>(start: (request: Request) => void): LatestWins<Request> {
  let isBusy = false;
  let waiting: { readonly request: Request } | null = null;
  return {
    send: (request) => {
      if (isBusy) waiting = { request };
      else {
        isBusy = true;
        start(request);
      }
    },
    done: () => {
      const next = waiting;
      waiting = null;
      isBusy = next !== null;
      if (next) start(next.request);
    },
  };
}
