/** All renewals, in the order in which they stand on each other: another one is a file like those and a line here. */
import { arrangementsRenewal } from './arrangements.renewal.ts';
import { cellsRenewal } from './cells.renewal.ts';
import { patternsRenewal } from './patterns.renewal.ts';
import type { Renewal } from './renewal.ts';

export const RENEWALS: readonly Renewal[] = [cellsRenewal, patternsRenewal, arrangementsRenewal];
