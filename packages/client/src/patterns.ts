/** Powder patterns: calculated patterns, and matching of measured ones. */
import type { CallRequest } from '@unitcell/contract';
import {
  getXrdHandle,
  getXrdHandle2,
  xrdCancel,
  xrdIdentify,
  xrdMatch,
  xrdProgress,
  xrdReceive,
  xrdRefine,
} from '@unitcell/contract/calls';
import type { MatchProgress } from '@unitcell/contract/xrd';
import { MATCH_ROW_FIELDS } from '@unitcell/contract/xrd/rules';
import type { Connection, SendOptions } from './connection.ts';
import { named, rowNamed } from './names.ts';

type MatchRequest = CallRequest<typeof xrdMatch>;
type IdentifyRequest = CallRequest<typeof xrdIdentify>;
type RefineRequest = CallRequest<typeof xrdRefine>;

/** Result of `read`, or angles and intensities. */
type MeasuredPattern = RefineRequest['xrd_data'] & {
  readonly sigmas?: RefineRequest['sigmas'];
  readonly measurement?:
    | {
        readonly radiation?: string | undefined;
        readonly wavelengths?: RefineRequest['wavelengths'];
        readonly is_slit_variable?: boolean;
      }
    | undefined;
};

/** Spacing in Å and intensity of each line, as reference cards list them. */
type ListedLines = Required<Pick<MatchRequest, 'lines'>>;

interface Following extends SendOptions {
  /** Called repeatedly while waiting. */
  readonly onProgress?: (progress: MatchProgress) => void;
  /** Milliseconds between two requests for the progress. */
  readonly every?: number;
}

export interface MatchOptions extends Following {
  /** Filter `only: Al N` (exactly these elements) or `include: Al N *` (at least these); by default all materials. */
  readonly elements?: string;
  /** A source (`CuKa`), a wavelength in Å or `neutrons 1.594`; by default that of the file, otherwise CuKa. */
  readonly radiation?: string | number;
  readonly way?: NonNullable<MatchRequest['match_way']>;
  /** Maximum number of hits, at most 100. */
  readonly top?: number;
}

export interface RefineOptions
  extends Following,
    Omit<RefineRequest, 'xrd_data' | 'phases' | 'match_id' | 'radiation'> {
  /** A source (`CuKa`), a wavelength in Å or `neutrons 1.594`; by default that of the file, otherwise CuKa. */
  readonly radiation?: string | number;
}

export interface IdentifyOptions
  extends Following,
    Omit<IdentifyRequest, 'xrd_data' | 'match_id' | 'radiation'> {
  /** A source (`CuKa`), a wavelength in Å or `neutrons 1.594`; by default that of the file, otherwise CuKa. */
  readonly radiation?: string | number;
}

/**
 * The id of a material, a hit of `match`, or a phase in the form of the call: `{ cif: '…' }`, `{ struct_id, texture }`.
 */
export type RefinePhase = number | RefineRequest['phases'][number];

/** Does not use randomUUID, because browsers provide that function only over https. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export function patterns({ call }: Connection) {
  /** Sends a request with its own id, reports its progress, and stops it on the site when aborted. */
  async function followed<T>(
    { onProgress, every = 500, signal }: { [Name in keyof Following]?: Following[Name] | undefined },
    send: (matchId: string, sending: SendOptions) => Promise<T>,
  ): Promise<T> {
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
      return await send(matchId, { again: false, ...(signal ? { signal } : {}) });
    } finally {
      clearInterval(look);
      signal?.removeEventListener('abort', stop);
    }
  }

  return {
    /** Calculated patterns for Cu Kα and crystallites of 200 nm, or for a wavelength (Å), a size (nm) and a probe. */
    calculated: (
      structId: number,
      as?: { wavelength: number; crystalSize: number; probe?: 'x-ray' | 'neutron' },
      sending?: SendOptions,
    ) =>
      as === undefined
        ? call(getXrdHandle, { struct_id: structId }, sending)
        : call(getXrdHandle2, { struct_id: structId, ...as }, sending),

    /** The site parses the file of an instrument, or a text file of two or three columns. */
    read(name: string, content: Blob, sending?: SendOptions) {
      const form = new FormData();
      form.append('xrd-file', content, name);
      return call(xrdReceive, form, sending);
    },

    /**
     * The materials whose patterns are nearest to a measured one, given as the result of `read`, as angles and
     * intensities, or as a list of spacings (Å) and intensities. Waits until the match is done; aborting also stops it
     * on the site.
     * @example const { hits } = await site.patterns.match({ lines: [[3.342, 100], [4.255, 22], [1.818, 14]] })
     */
    async match(
      pattern: MeasuredPattern | ListedLines,
      { onProgress, every, signal, way, again: _again, ...asked }: MatchOptions = {},
    ) {
      const { results, hits, ...answer } = await followed(
        { onProgress, every, signal },
        (match_id, sending) =>
          call(
            xrdMatch,
            {
              ...('lines' in pattern ? { lines: pattern.lines } : measuredOf(pattern)),
              ...asked,
              ...(way ? { match_way: way } : {}),
              match_id,
            },
            sending,
          ),
      );
      const rows = results.map((row, index) => ({ ...hits[index]!, ...rowNamed(MATCH_ROW_FIELDS, row) }));
      return { ...named(answer), hits: rows };
    },

    /**
     * Identifies and quantifies the phases of a sample: finds up to four phases of a measured pattern with its background, and refines
     * them. If no material explains the pattern, `phases` is empty. Aborting also stops it on the site.
     * @example const { statement, phases, refinement } = await site.patterns.identify(await site.patterns.read('a.xrdml', blob))
     */
    async identify(
      pattern: MeasuredPattern,
      { onProgress, every, signal, again: _again, ...asked }: IdentifyOptions = {},
    ) {
      return await followed({ onProgress, every, signal }, (match_id, sending) =>
        call(xrdIdentify, { ...refinedOf(pattern, asked), ...asked, match_id }, sending),
      );
    },

    /**
     * Weight fractions and cells of up to five known phases, from a measured pattern with its background (Rietveld, or
     * Le Bail for the cells alone). Waits until the refinement is done; aborting also stops it on the site.
     * @example const { phases } = await site.patterns.refine(await site.patterns.read('a.xrdml', blob), [138, 137])
     */
    async refine(
      pattern: MeasuredPattern,
      phases: readonly RefinePhase[],
      { onProgress, every, signal, again: _again, ...asked }: RefineOptions = {},
    ) {
      return await followed({ onProgress, every, signal }, (match_id, sending) =>
        call(
          xrdRefine,
          { ...refinedOf(pattern, asked), ...asked, phases: phases.map(phaseOf), match_id },
          sending,
        ),
      );
    },
  };
}

function measuredOf({ x, y, name, background_removed, measurement }: MeasuredPattern) {
  return {
    xrd_data: {
      x,
      y,
      ...(name === undefined ? {} : { name }),
      ...(background_removed === undefined ? {} : { background_removed }),
    },
    ...(measurement?.radiation ? { radiation: measurement.radiation } : {}),
    ...(measurement?.is_slit_variable === true ? { variable_slit: true } : {}),
  };
}

/** With the radiation of the file, a refinement takes the wavelengths of the file, which differ from tabulated ones. */
const refinedOf = (pattern: MeasuredPattern, { radiation }: Pick<RefineOptions, 'radiation'>) => ({
  ...measuredOf(pattern),
  ...(radiation === undefined && pattern.measurement?.wavelengths
    ? { wavelengths: pattern.measurement.wavelengths }
    : {}),
  ...(pattern.sigmas === undefined ? {} : { sigmas: pattern.sigmas }),
});

/** Sends only those fields of a hit that the call takes. */
function phaseOf(phase: RefinePhase): RefineRequest['phases'][number] {
  if (typeof phase === 'number') return { struct_id: phase };
  if (!('explained_share' in phase)) return phase;
  const { struct_id, strain } = phase;
  return { ...(struct_id === undefined ? {} : { struct_id }), ...(strain === undefined ? {} : { strain }) };
}
