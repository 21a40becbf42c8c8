/** A request and its answer for each call, shown in the OpenAPI document. `npm run generate examples` records the answers. */
import recorded from './examples.json' with { type: 'json' };

export interface CallExample {
  /** Absent where a call takes no JSON. */
  readonly request?: unknown;
  readonly response: unknown;
}

/** By the name of the call. */
export const examples: Readonly<Record<string, CallExample>> = recorded;
