/** Sites in the words of the specification: each names a species, which says what stands there and how much of it. */
import type { Structure } from '@unitcell/crystal';

/** A site with more than one kind of atom, or not full, is a species of its own. */
export const speciesName = ({ species }: Structure['sites'][number]): string =>
  species
    .map(({ element, occupancy }) =>
      species.length === 1 && occupancy === 1 ? element : `${element}${occupancy}`,
    )
    .join('');

export function speciesOf({ sites }: Structure) {
  const named = new Map(sites.map((site) => [speciesName(site), site.species]));
  return [...named].map(([name, kinds]) => {
    const filled = kinds.reduce((sum, { occupancy }) => sum + occupancy, 0);
    const vacancy = filled < 1 - 1e-6 ? [{ element: 'vacancy', occupancy: 1 - filled }] : [];
    const all = [...kinds, ...vacancy];
    return {
      name,
      chemical_symbols: all.map(({ element }) => element),
      concentration: all.map(({ occupancy }) => occupancy),
    };
  });
}
