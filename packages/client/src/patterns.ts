/** Powder patterns: calculated patterns, and matching of measured ones. */
import {
  type CallRequest,
  getXrdHandle,
  getXrdHandle2,
  xrdCancel,
  xrdMatch,
  xrdProgress,
  xrdReceive,
} from '@unitcell/contract/calls';
import type { MatchProgress } from '@unitcell/contract/xrd';
import { MATCH_ROW_FIELDS } from '@unitcell/contract/xrd/rules';
import type { Connection, SendOptions } from './connection.ts';
import { named, rowNamed } from './names.ts';

type MatchRequest = CallRequest<typeof xrdMatch>;

export interface MatchOptions extends SendOptions {
  /** `only: Al N` (exactly these), `include: Al N *` (at least these); default: all materials. */
  readonly elements?: string;
  /** A source (`CuKa`, `Cu Ka1`) or a wavelength in Å; default: that of the file read, else CuKa. */
  readonly radiation?: string | number;
  readonly way?: NonNullable<MatchRequest['match_way']>;
  /** Maximum number of hits, at most 100. */
  readonly top?: number;
  /** Called while waiting. */
  readonly onProgress?: (progress: MatchProgress) => void;
  /** Milliseconds between two polls. */
  readonly every?: number;
}

/** Not randomUUID, which browsers provide only over https. */
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

    /** Lets the site parse the file of an instrument, or one of two or three columns. */
    read(name: string, content: Blob, sending?: SendOptions) {
      const form = new FormData();
      form.append('xrd-file', content, name);
      return call(xrdReceive, form, sending);
    },

    /**
     * The materials whose patterns are nearest to a measured one, given as an answer of `read` or as angles
     * and intensities. Waits until the match is done; aborting also stops it on the site.
     */
    async match(
      pattern: MatchRequest['xrd_data'] & {
        readonly measurement?: { readonly radiation?: string | undefined } | undefined;
      },
      { onProgress, every = 500, signal, way, again: _again, ...asked }: MatchOptions = {},
    ) {
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
      const { x, y, name, background_removed, measurement } = pattern;
      const xrd_data = {
        x,
        y,
        ...(name === undefined ? {} : { name }),
        ...(background_removed === undefined ? {} : { background_removed }),
      };
      try {
        const { results, hits, ...answer } = await call(
          xrdMatch,
          {
            xrd_data,
            ...(measurement?.radiation ? { radiation: measurement.radiation } : {}),
            ...asked,
            ...(way ? { match_way: way } : {}),
            match_id: matchId,
          },
          { again: false, ...(signal ? { signal } : {}) },
        );
        const rows = results.map((row, index) => ({ ...hits[index]!, ...rowNamed(MATCH_ROW_FIELDS, row) }));
        return { ...named(answer), hits: rows };
      } finally {
        clearInterval(look);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}
