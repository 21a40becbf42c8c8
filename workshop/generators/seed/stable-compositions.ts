/**
 * The compositions known to be stable on the seed's scale, from a table of computed ground states
 * (`formula,e_form_eV_atom,e_decomp_eV_atom`; a decomposition energy of 0 or less is on the hull) and what that table lacks.
 */
import { parseCsv } from './csv.ts';

/** eV/atom; a phase that lies less than this below all mixtures of others is marked as marginal (`~`). */
export const MARGIN = 0.005;

/** A formula unit with more atoms than this of one element is a model of a dilute impurity (KMg149), no compound. */
export const MOST_ATOMS_OF_AN_ELEMENT = 99;

/** Compositions (elements alphabetical) whose listed energy cannot be true, with the reason. */
export const ARTEFACTS: Readonly<Record<string, string>> = {
  N2O: 'listed at -0.447 eV/atom, but its computed structures lie at +0.53 and above, and the measured gas at +0.28',
  NO3: 'a molecular model at -0.672 eV/atom; the measured gas has a positive enthalpy of formation and no solid is known',
  LiS4: 'a model at -0.752 eV/atom, which would put the lithium-sulfur cell at 3.8 V; measured 2.1 to 2.4 V',
};

/** On the hull once the artefacts are gone. */
const RESTORED = new Set(['N2O5']);

const HEADER = [
  '# scale: PBE (MP 2018)',
  '# source: Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
  '# Compositions on the convex hull of the Materials Project, release of 2018 (PBE, PBE+U and the corrections of that time): formulas with',
  '# their elements in alphabetical order, "~" where less than 5 meV/atom decide, the formation energy of the deepest form (eV/atom) behind a',
  '# colon. Jain et al., APL Materials 1, 011002 (2013), CC BY 4.0;',
  '# table of ground states: Bartel et al., npj Comput. Mater. 6, 97 (2020), and what it leaves out though it lies on the hull of all energies',
  '# of that release (Dunn et al., npj Comput. Mater. 6, 138 (2020)). Written by scripts/generators/seed/write-stable-compositions.ts;',
  '# left out: single elements, models of dilute impurities (more than 99 atoms of one element), N2O, NO3 and LiS4 (SOURCES.md says why).',
];

interface StableRow {
  readonly formula: string;
  readonly depth: number;
}

const amounts = (formula: string): readonly number[] =>
  [...formula.matchAll(/[A-Z][a-z]?(\d*)/g)].map(([, digits]) => (digits === '' ? 1 : Number(digits)));

/** Never deeper than the energy itself. */
const rounded = (energy: number): string => (Math.ceil(energy * 1000) / 1000).toFixed(3);

/**
 * The text of `seed-data/stable-compositions.txt`: one line per first element.
 * @param energyOf formation energy of the deepest form on the seed's scale, eV/atom
 * @param alsoStable on the hull of all energies, given those the table of ground states has there: formula, and eV/atom below all others
 */
export function stableCompositionsText(
  groundStates: string,
  energyOf: (formula: string) => number | undefined,
  alsoStable: (listed: readonly string[]) => readonly StableRow[] = () => [],
): string {
  const byFirstElement = new Map<string, string[]>();
  const table = parseCsv(groundStates)
    .map((row): StableRow => ({ formula: row['formula'] ?? '', depth: -Number(row['e_decomp_eV_atom']) }))
    .filter(({ formula, depth }) => depth >= 0 || RESTORED.has(formula));
  const rows = [...table, ...alsoStable(table.map(({ formula }) => formula))];
  for (const { formula, depth } of rows.sort((one, other) => (one.formula < other.formula ? -1 : 1))) {
    const counts = amounts(formula);
    const isCompound = counts.length > 1 && Math.max(...counts) <= MOST_ATOMS_OF_AN_ELEMENT;
    if (!isCompound || formula in ARTEFACTS) continue;
    const first = /^[A-Z][a-z]?/.exec(formula)?.[0] ?? '';
    const words = byFirstElement.get(first) ?? [];
    const energy = energyOf(formula);
    words.push(`${formula}${depth < MARGIN ? '~' : ''}${energy === undefined ? '' : `:${rounded(energy)}`}`);
    byFirstElement.set(first, words);
  }
  return `${[...HEADER, ...[...byFirstElement.values()].map((words) => words.join(' '))].join('\n')}\n`;
}
