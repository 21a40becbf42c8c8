/** What the page shows of a stored cell. Runs in a worker thread. */
import type { ShownStructure } from '@unitcell/contract';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { showStructure } from './read-upload.ts';

export const showCell = (cell: CompactCell): ShownStructure => showStructure(fromCompactCell(cell));
