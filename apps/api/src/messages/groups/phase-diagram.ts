/** Texts of the phase-diagram calls. */
import type { MessageTable } from '../message-table.ts';

export const phaseDiagramMessages = {} as const satisfies MessageTable;
