/** The parts of unbzip2-stream that its own types leave out. */
declare module 'unbzip2-stream/lib/bit_iterator.js' {
  export interface BitReader {
    (count: number | null): number | undefined;
    readonly bytesRead: number;
  }
  /** @param next returns the next bytes; called once immediately */
  export default function bitIterator(next: () => Uint8Array): BitReader;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { BitReader } from 'unbzip2-stream/lib/bit_iterator.js';

  const bzip2: {
    /** Size of the blocks in units of 100 kB. */
    header(bits: BitReader): number;
    /** Unpacks one block byte by byte; null after the last block. */
    decompress(
      bits: BitReader,
      take: (byte: number) => void,
      work: Int32Array,
      size: number,
      checksum: number | null,
    ): number | null;
  };
  export default bzip2;
}
