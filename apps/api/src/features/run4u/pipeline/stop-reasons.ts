/** How a submission leaves the normal path. */
import type { MessageParameters } from '../../../messages/messages.ts';
import type { ReasonCode } from '../../../messages/groups/run4u.ts';

/** It cannot be done; doing it again would not help. */
export class SubmissionFailed extends Error {
  override readonly name = 'SubmissionFailed';
  constructor(
    readonly reason: ReasonCode,
    readonly parameters: MessageParameters = {},
  ) {
    super(`${reason} ${JSON.stringify(parameters)}`);
  }
}

/** Not now: the machinery is at fault, or stops. */
export class SubmissionPostponed extends Error {
  override readonly name = 'SubmissionPostponed';
  constructor(
    readonly reason: ReasonCode,
    readonly delaySeconds: number,
  ) {
    super(`${reason}, again in ${delaySeconds} s`);
  }
}

/** It is in the database already. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
  constructor(readonly structId: number) {
    super(`material ${structId}`);
  }
}

/** Another worker has it, or it was cancelled: whatever is known here counts no more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
