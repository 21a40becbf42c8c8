/** What crystals of one prototype share: the space group and which of its Wyckoff positions are occupied, not by what. */
import type { Structure } from '@unitcell/crystal';
import { letterChanges } from './normaliser-letters.ts';

/** What stands on a site, with its shares: sites of equal content belong together. */
const contentOf = ({ species }: Structure['sites'][number]): string =>
  species
    .map(({ element, occupancy }) => `${element}${occupancy.toFixed(3)}`)
    .toSorted()
    .join();

/**
 * `225:a4 b4` for rock salt: the number of the space group, then for each kind of atom the letters of its sites in the
 * conventional cell with how many they are. The order of the kinds says nothing of the elements, so that NaCl and MgO are the
 * same. Of the letters that the origins and axes of the normaliser give, the first in the alphabet are taken: SrTiO3 with titanium at
 * the origin and BaTiO3 with barium there are one type. Crystals with equal keys are isopointal; those whose arrangements are near each
 * other too are isotypic.
 * @param wyckoffs letter per site of the conventional cell
 */
export function prototypeKey(
  { sites }: Pick<Structure, 'sites'>,
  wyckoffs: readonly string[],
  spaceGroupNumber: number,
): string {
  const kinds = new Map<string, Map<string, number>>();
  sites.forEach((site, index) => {
    const kind = contentOf(site);
    const letters = kinds.get(kind) ?? new Map<string, number>();
    const letter = wyckoffs[index] ?? '?';
    kinds.set(kind, letters.set(letter, (letters.get(letter) ?? 0) + 1));
  });
  const keys = letterChanges(spaceGroupNumber).map((change) =>
    Array.from(kinds.values(), (letters) =>
      Array.from(letters, ([letter, count]) => `${change.get(letter) ?? letter}${count}`)
        .toSorted()
        .join(','),
    )
      .toSorted()
      .join(' '),
  );
  return `${spaceGroupNumber}:${keys.reduce((least, key) => (key < least ? key : least))}`;
}
