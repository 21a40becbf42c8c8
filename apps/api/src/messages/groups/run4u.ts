/** Texts of the run4u calls. */
import type { MessageTable } from '../message-table.ts';

export const run4uMessages = {} as const satisfies MessageTable;
