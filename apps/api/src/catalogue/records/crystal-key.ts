/** What two materials must share before their structures are compared: reduced formula and space group at 0.1 Å. */

/** Space groups that are mirror images of each other: the second of a pair counts as the first. */
const MIRROR_IMAGES: ReadonlyMap<number, number> = new Map([
  [78, 76],
  [95, 91],
  [96, 92],
  [145, 144],
  [153, 151],
  [154, 152],
  [170, 169],
  [172, 171],
  [179, 178],
  [181, 180],
  [213, 212],
]);

/** The space group's number; of one of a pair that are mirror images, the first. */
export const withoutHand = (spaceGroupNumber: number): number =>
  MIRROR_IMAGES.get(spaceGroupNumber) ?? spaceGroupNumber;

/**
 * The matcher's tolerances also let a distorted phase match its parent (tetragonal and cubic BaTiO3): the space group keeps
 * polymorphs apart, as it does in the Materials Project (emmet-core, `group_structures`).
 */
export const crystalKey = (formulaReduced: string, spaceGroupNumber: number): string =>
  `${formulaReduced} ${withoutHand(spaceGroupNumber)}`;
