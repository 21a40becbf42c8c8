/** A file may unpack to so many times its size. Structures in JSON and CIF pack to a tenth, rarely to a fiftieth. */
export const MAX_RATIO = 200;

/** A path that cannot be read as a whole: it does not exist, is of no known format, is cut off or is an archive bomb. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';

  static readonly bomb = (name: string): UnreadableSource =>
    new UnreadableSource(
      `${name} unpacks to more than ${MAX_RATIO} times its size: it is taken for an archive bomb and not read on`,
    );
}
