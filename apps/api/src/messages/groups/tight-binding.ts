/** Texts of the tight-binding calls. */
import type { MessageTable } from '../message-table.ts';

export const tightBindingMessages = {} as const satisfies MessageTable;
