/** A source unit that cannot become a material; the message names the cause. */
export class RefusedUnit extends Error {
  override readonly name = 'RefusedUnit';
}
