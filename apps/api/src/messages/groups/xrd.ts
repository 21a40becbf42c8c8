/** Texts of the xrd calls. */
import type { MessageTable } from '../message-table.ts';

export const xrdMessages = {} as const satisfies MessageTable;
