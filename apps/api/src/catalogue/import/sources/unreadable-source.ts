/** A path that cannot be read as a whole: it does not exist, is of no known format, is cut off or is an archive bomb. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}
