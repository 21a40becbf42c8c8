/** Species in water: measured ions with their reference solids, and Gibbs energies of solids at 298.15 K. */
import {
  atomCount,
  type Composition,
  conventionalFormula,
  displayFormula,
  parseFormula,
  reducedFormula,
} from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { AQUEOUS_IONS, ION_SOURCES, NBS_SOLIDS } from './data/aqueous-ions.ts';
import { type PhaseEntry } from './entries.ts';
import { buildHull, stableEntries } from './hull.ts';
import { STANDARD_TEMPERATURE } from './janaf-table.ts';
import { measuredCompounds } from './measured-substances.ts';
import { WATER_GIBBS } from './pourbaix.ts';
import { HYPOTHETICAL } from './stable-steps.ts';

export interface AqueousIon {
  /** `Fe(OH)2[+]`, `CO2(aq)`. */
  readonly formula: string;
  readonly composition: Composition;
  readonly charge: number;
  /** Measured Gibbs energy of formation, eV per formula. */
  readonly gibbs: number;
  readonly source: string;
}

export interface IonsOfElement {
  readonly ions: readonly AqueousIon[];
  /**
   * Reference solid: a measured solid by which the energies of the ions are aligned with computed energies of
   * solids.
   */
  readonly reference: string;
  /** Measured Gibbs energy of formation of the reference solid, eV per formula. */
  readonly referenceGibbs: number;
}

const ION = /^(?<body>.+?)(?:\((?<neutral>aq)\)|\[(?<size>\d*)(?<sign>[+-])\])$/;

/**
 * Reads an ion: `Fe[2+]`, `FeO4[2-]`, `Fe(OH)3(aq)`. Null if it has no charge and is not marked as dissolved.
 * @throws CrystalError if the formula cannot be read
 */
export function parseIon(
  text: string,
): { readonly composition: Composition; readonly charge: number } | null {
  const found = ION.exec(text.trim())?.groups;
  if (found?.['body'] === undefined) return null;
  const size = found['neutral'] ? 0 : Number(found['size'] || 1);
  return { composition: parseFormula(found['body']), charge: found['sign'] === '-' ? -size : size };
}

let ions: ReadonlyMap<string, IonsOfElement> | undefined;

function readIons(): ReadonlyMap<string, IonsOfElement> {
  return new Map(
    AQUEOUS_IONS.trim()
      .split('\n')
      .map((line) => {
        const [element = '', reference = '', gibbs = '', list = ''] = line.split('|');
        const read = list.split(';').flatMap((entry): AqueousIon[] => {
          const [formula = '', energy, source = ''] = entry.split(' ');
          const parsed = parseIon(formula);
          if (parsed === null) return [];
          return [
            {
              formula,
              ...parsed,
              gibbs: Number(energy) / KJ_PER_MOL_PER_EV,
              source: ION_SOURCES[source] ?? '',
            },
          ];
        });
        return [element, { ions: read, reference, referenceGibbs: Number(gibbs) / KJ_PER_MOL_PER_EV }];
      }),
  );
}

/** The measured ions that contain only this element besides O and H; undefined if the table has none. */
export const ionsOf = (element: string): IonsOfElement | undefined => (ions ??= readIons()).get(element);

/**
 * T S of the elements that are gases, eV per atom at 298.15 K (NIST-JANAF). The gas loses this entropy when it
 * forms a solid; the entropies of solids nearly cancel.
 */
const GAS_ENTROPY: Readonly<Record<string, number>> = {
  O: 0.31696,
  H: 0.20191,
  N: 0.29605,
  F: 0.31332,
  Cl: 0.34467,
};

/**
 * Gibbs energy of formation of a solid at 298.15 K from its computed formation energy, eV per formula. A gaseous
 * element keeps its entropy: its Gibbs energy is zero by definition.
 */
export const solidGibbs = (composition: Composition, formationEnergyPerAtom: number): number =>
  Object.entries(composition).reduce(
    (sum, [element, amount], _index, { length }) =>
      sum + (length > 1 ? amount * (GAS_ENTROPY[element] ?? 0) : 0),
    formationEnergyPerAtom * atomCount(composition),
  );

/**
 * Correction of a computed solid in eV per formula: measured minus computed Gibbs energy of water, per H. It
 * aligns the hydrogen of hydroxides and hydrates with water, as `referenceShift` aligns ions with their
 * reference solid. Computed scales bind H to O too strongly, PBE (MP 2018) by 0.50 eV, so that a hydrate would
 * never dissolve. Hydrides without O are not shifted.
 * @param computedWater computed Gibbs energy of formation of H2O, eV per formula. That of ice may be used: it
 *   equals that of water within 0.01 eV
 */
export const waterShift = (composition: Composition, computedWater: number): number =>
  composition['O'] === undefined ? 0 : ((WATER_GIBBS - computedWater) / 2) * (composition['H'] ?? 0);

/**
 * Correction of an ion in eV per formula that aligns it with the computed solids: computed minus measured Gibbs
 * energy of the reference solid, per atom of the element (Persson et al. 2012).
 */
export function referenceShift(
  { reference, referenceGibbs }: IonsOfElement,
  element: string,
  computedGibbsPerAtom: number,
  ion: Composition,
): number {
  const solid = parseFormula(reference);
  const shift = computedGibbsPerAtom * atomCount(solid) - referenceGibbs;
  return (shift * (ion[element] ?? 0)) / (solid[element] ?? 1);
}

/**
 * The computed solids that take part in a diagram: those that do not decompose into other solids, O2 and H2 at
 * 1 bar (as in pymatgen). For all others only the decomposition energy is calculated.
 */
export function solidsOnHull<Entry extends PhaseEntry>(
  solids: readonly Entry[],
  elements: readonly string[],
): readonly Entry[] {
  const references: readonly PhaseEntry[] = [
    { id: 'gas:H', composition: { H: 1 }, energy: 0 },
    { id: 'gas:O', composition: { O: 1 }, energy: 0 },
  ];
  const hull = buildHull<PhaseEntry>([...references, ...solids], { elements: [...elements, 'O', 'H'] });
  const stable = new Set(stableEntries(hull).map(({ id }) => id));
  return solids.filter(({ id }) => stable.has(id));
}

export interface MeasuredSolid {
  readonly formula: string;
  readonly composition: Composition;
  /** Gibbs energy of formation at 298.15 K, eV per formula. */
  readonly gibbs: number;
  readonly source: 'NBS' | 'NIST-JANAF' | 'FREED';
}

let solids: readonly MeasuredSolid[] | undefined;

/**
 * All measured solids at 298.15 K, one per formula. NBS values take precedence, because most ion data are from
 * NBS too.
 */
function measuredSolids(): readonly MeasuredSolid[] {
  const found = new Map<string, MeasuredSolid>();
  for (const { formula, composition, source, range, formation } of measuredCompounds()) {
    if (source === 'definition' || HYPOTHETICAL.has(formula) || range.min > STANDARD_TEMPERATURE) continue;
    const { gibbs } = formation(STANDARD_TEMPERATURE);
    const shown = conventionalFormula(displayFormula(composition));
    const isHydroxide = /OH\)?\d*$/.test(shown);
    found.set(reducedFormula(composition), {
      formula: isHydroxide ? shown : formula,
      composition,
      gibbs,
      source,
    });
  }
  for (const entry of NBS_SOLIDS.split(';')) {
    const [formula = '', energy] = entry.split(' ');
    const composition = parseFormula(formula);
    const gibbs = Number(energy) / KJ_PER_MOL_PER_EV;
    found.set(reducedFormula(composition), { formula, composition, gibbs, source: 'NBS' });
  }
  return [...found.values()];
}

/** The measured solids that contain these elements, O and H only; the elements themselves are left out. */
export function measuredSolidsOf(elements: readonly string[]): readonly MeasuredSolid[] {
  const known = new Set([...elements, 'O', 'H']);
  return (solids ??= measuredSolids()).filter(({ composition }) => {
    const symbols = Object.keys(composition);
    return (
      symbols.every((symbol) => known.has(symbol)) && symbols.some((symbol) => elements.includes(symbol))
    );
  });
}
