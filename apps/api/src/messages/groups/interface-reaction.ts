/** Texts of the interface-reaction calls. */
import type { MessageTable } from '../message-table.ts';

export const interfaceReactionMessages = {} as const satisfies MessageTable;
