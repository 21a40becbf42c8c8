/** Worker thread: the values of the interatomic potential for one stored crystal, at the lowest priority. */
import { constants, setPriority } from 'node:os';
import { type DeriveRequest, derivePotentialValues } from '../../domain/potential/derived-values.ts';
import type { DerivedValues } from '../../domain/potential/stored-values.ts';

// Linux sets the priority of this thread only; elsewhere it would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

export const derivePotential = (request: DeriveRequest): DerivedValues => derivePotentialValues(request);
