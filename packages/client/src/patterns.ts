/** Powder patterns: calculated ones, and which materials a measured one is. */
import {
  type CallRequest,
  getXrdHandle,
  getXrdHandle2,
  type MatchProgress,
  type MatchResult,
  xrdCancel,
  xrdMatch,
  xrdProgress,
  xrdReceive,
} from '@unitcell/contract';
import type { Connection, SendOptions } from './connection.ts';

export interface MatchOptions extends SendOptions {
  /** Called while it waits. */
  readonly onProgress?: (progress: MatchProgress) => void;
  /** Milliseconds between two looks. */
  readonly every?: number;
}

/** Not randomUUID, which browsers have on https alone. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export function patterns({ call }: Connection) {
  return {
    /** For Cu Kα and crystallites of 200 nm, or for a wavelength (Å) and a size (nm). */
    calculated: (
      structId: number,
      as?: { wavelength: number; crystalSize: number },
      sending?: SendOptions,
    ) =>
      as === undefined
        ? call(getXrdHandle, { struct_id: structId }, sending)
        : call(getXrdHandle2, { struct_id: structId, ...as }, sending),

    /** Has the site read a file of two or three columns. */
    read(name: string, content: Blob, sending?: SendOptions) {
      const form = new FormData();
      form.append('xrd-file', content, name);
      return call(xrdReceive, form, sending);
    },

    /** Waits until the match is done; an abort stops it on the site, too. */
    async match(
      request: Omit<CallRequest<typeof xrdMatch>, 'match_id'>,
      { onProgress, every = 500, signal }: MatchOptions = {},
    ): Promise<MatchResult> {
      const matchId = newId();
      const stop = () => void call(xrdCancel, { match_id: matchId }, { again: false }).catch(() => undefined);
      signal?.addEventListener('abort', stop);
      let looking = false;
      const look = setInterval(() => {
        if (looking || !onProgress) return;
        looking = true;
        call(xrdProgress, { match_id: matchId })
          .then(onProgress, () => undefined)
          .finally(() => {
            looking = false;
          });
      }, every);
      try {
        return await call(
          xrdMatch,
          { ...request, match_id: matchId },
          { again: false, ...(signal ? { signal } : {}) },
        );
      } finally {
        clearInterval(look);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}
