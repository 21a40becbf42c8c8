/**
 * Compositions on the hull of all energies at hand that a list of stable ones lacks: the table of ground states leaves out
 * about 1,600 that the tables of energies hold (SmCo3, Np2O5, Al9Fe2 …).
 */
import { atomCount } from '@unitcell/crystal';
import { buildHull, energyAboveHull, type PhaseEntry, subsystems } from '@unitcell/phase-equilibria';
import type { GroundState } from './complete-energies.ts';
import { compositionKey } from './read-facts.ts';

/** Hulls of more elements take minutes, and no system of the seed has as many. */
const MOST_ELEMENTS = 6;
/** eV/atom; rounding of the hull itself. */
const ON_HULL = 1e-6;

export interface StableComposition {
  readonly formula: string;
  /** eV/atom below the hull of all others. */
  readonly depth: number;
}

/**
 * @param systems energies by chemical system, as `completeEnergies` gives them
 * @param isListed whether the list holds the composition already
 */
export function stableByEnergies(
  systems: ReadonlyMap<string, readonly GroundState[]>,
  isListed: (key: string) => boolean,
): readonly StableComposition[] {
  const entryOf = ({ formula, composition, energyPerAtom }: GroundState): PhaseEntry => ({
    id: formula,
    composition,
    energy: energyPerAtom * atomCount(composition),
  });
  return [...systems].flatMap(([system, states]) => {
    const elements = system.split('-');
    const unlisted = states.filter(
      ({ formula, energyPerAtom }) => energyPerAtom < 0 && !isListed(compositionKey(formula)),
    );
    if (unlisted.length === 0 || elements.length > MOST_ELEMENTS) return [];
    const entries = [
      ...elements.map((element): PhaseEntry => ({ id: element, composition: { [element]: 1 }, energy: 0 })),
      ...subsystems(elements).flatMap((name) => (systems.get(name) ?? []).map(entryOf)),
    ];
    const hull = buildHull(entries);
    return unlisted.flatMap((state) => {
      const entry = entryOf(state);
      if (energyAboveHull(hull, entry) > ON_HULL) return [];
      const others = buildHull(entries.filter(({ id }) => id !== state.formula));
      return [{ formula: state.formula, depth: -energyAboveHull(others, entry) }];
    });
  });
}
