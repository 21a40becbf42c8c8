/** Texts of the ecwindow calls. */
import type { MessageTable } from '../message-table.ts';

export const ecwindowMessages = {} as const satisfies MessageTable;
