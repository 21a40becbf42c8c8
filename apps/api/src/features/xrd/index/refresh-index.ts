/**
 * Brings the search index up to what the table `powder_pattern` holds. Runs in a worker thread with a connection of its
 * own, so that neither the bytes nor the work touch the event loop.
 */
import {
  openPatternIndex,
  PACKED_PATTERN_VERSION,
  type PatternEntry,
  type PatternIndex,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import pg from 'pg';

export interface IndexState {
  /** The index (openPatternIndex). Never written to: a newer state is another buffer. */
  readonly buffer: SharedArrayBuffer;
  /** Pairs of struct_id and row version (xmin) as they were read, ids rising: 8 bytes per material. */
  readonly versions: Uint32Array;
  /** Rows that are no pattern of this version of the format, and are not in the index. */
  readonly unreadable: number;
}

export interface RefreshRequest {
  readonly databaseUrl: string;
  readonly state: IndexState | null;
  /** Int32Array [patterns read, patterns to read]. */
  readonly progress: SharedArrayBuffer;
}

/** Patterns read and put on the grid at a time: about 100 MB while they are. Every page copies the index once. */
const PAGE = 50_000;
  }
}
