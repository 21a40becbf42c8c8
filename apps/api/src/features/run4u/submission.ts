/** A submission as it is stored, and the small questions about it. */
import type { PipelineStep, SubmissionStatus } from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import type { SubmissionState } from './pipeline/submission-state.ts';

export interface Submission {
  readonly id: number;
  readonly accountId: number;
  readonly status: SubmissionStatus;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly structure: CompactCell;
  /** Atoms of its primitive cell. */
  readonly nSites: number;
  readonly structId: number | null;
  /** For operators, in English; people are shown the text of `reasonCode`. */
  readonly reason: string;
  readonly reasonCode: string;
  readonly step: PipelineStep | '';
  readonly state: SubmissionState;
  /** Times a worker has taken it up: the fencing number of its lease. */
  readonly attempt: number;
  readonly leaseOwner: string | null;
  readonly submittedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export const isOpen = ({ status }: Pick<Submission, 'status'>): boolean =>
  status === 'queued' || status === 'running';
