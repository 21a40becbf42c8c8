/** Recently opened materials, and notes on materials. Both are kept only in this browser. */
import { readStored, writeStored } from './storage.ts';

export interface Visit {
  readonly structId: number;
  readonly formula: string;
}

const RECENT_KEY = 'recentMaterials';
const MAX_RECENT = 6;

/** Maximum number of characters in a note. */
export const MOST_NOTED = 4000;

/** Recently opened materials, latest first. Stored as lines such as `95 LiFePO4`; invalid lines are skipped. */
export function recentVisits(): readonly Visit[] {
  return (readStored(RECENT_KEY) ?? '').split('\n').flatMap((line) => {
    const [, id, formula] = /^(\d+) (\S+)$/.exec(line) ?? [];
    return id === undefined || formula === undefined ? [] : [{ structId: Number(id), formula }];
  });
}

export function rememberVisit({ structId, formula }: Visit): void {
  const others = recentVisits().filter((visit) => visit.structId !== structId);
  const visits = [{ structId, formula }, ...others].slice(0, MAX_RECENT);
  writeStored(RECENT_KEY, visits.map((visit) => `${visit.structId} ${visit.formula}`).join('\n'));
}

const noteKey = (structId: number): string => `materialNote:${structId}`;

export const noteOn = (structId: number): string => readStored(noteKey(structId)) ?? '';

export function writeNote(structId: number, text: string): void {
  writeStored(noteKey(structId), text.trim() === '' ? null : text.slice(0, MOST_NOTED));
}

/**
 * Called at sign-out: the next user of the browser must not see which materials were opened. Notes are kept, as the
 * page says.
 */
export const forgetVisits = (): void => writeStored(RECENT_KEY, null);
