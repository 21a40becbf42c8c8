/** Worker thread: the values of the interatomic potential for one stored crystal, at a low priority. */
import { constants, setPriority } from 'node:os';
import { type DeriveRequest, derivePotentialValues } from '../../domain/potential/derived-values.ts';
import type { DerivedValues } from '../../domain/potential/stored-values.ts';

// Linux sets the priority of this thread only; elsewhere it would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

export const derivePotential = (request: DeriveRequest): DerivedValues => derivePotentialValues(request);
