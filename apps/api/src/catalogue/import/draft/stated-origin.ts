/** Scale, source and licence that the operator states for the rows of an import that do not state them. */
import type { EnergyOnScale, MaterialDraft } from '@unitcell/material';
import type { ImportMap } from '../map/import-map-schema.ts';
import { RefusedUnit } from './refused-unit.ts';

export interface StatedOrigin {
  /** Energy scale for rows that state none. */
  readonly scale?: string;
  /** Name of the source for rows that state none. */
  readonly source?: string;
  readonly licence?: string;
  /** Import map for documents in another format. */
  readonly map?: ImportMap;
}

/** Placeholder for the scale of an energy that came without one. */
export const UNNAMED_SCALE = 'unspecified';

/** Placeholder for an energy that states its functional but not the rest of its scale. */
export const unnamedScaleOf = (functional: string | null): string =>
  functional === null ? UNNAMED_SCALE : `${UNNAMED_SCALE}, ${functional}`;

/** Source names that state only the format. */
export const UNNAMED_SOURCES: readonly string[] = [
  'CIF',
  'OPTIMADE',
  'ComputedStructureEntry',
  'run',
  'pymatgen',
  'phonons',
];

/**
 * Functionals recognised in the name of a scale; energies of different functionals never share a hull.
 * Longer names come first.
 */
const FUNCTIONALS = [
  'r2SCAN',
  'SCAN',
  'PBEsol',
  'PBE0',
  'RPBE',
  'PBE',
  'HSE',
  'OptB88',
  'PW91',
  'LDA',
] as const;
export const functionalIn = (scale: string): string | undefined =>
  FUNCTIONALS.find((name) => new RegExp(String.raw`(?<![A-Za-z0-9])${name}`, 'i').test(scale));

/** Whether a scale names a functional as a word: "PBE (own)" names PBE; "PBEsol" and "revPBE (own)" do not. */
function isNamedIn(scale: string, functional: string): boolean {
  const name = functional.toLowerCase();
  const words = scale.toLowerCase().split(/[\s(),;]+/);
  return words.some(
    (word) => word === name || word === `${name}+u` || (name === 'hse' && /^hse0\d$/.test(word)),
  );
}

/** @throws RefusedUnit when the row names another scale or functional than the operator */
function onScale(energy: EnergyOnScale, { scale }: StatedOrigin): EnergyOnScale {
  const { functional: stated } = energy;
  if (stated === UNNAMED_SCALE && scale !== undefined) return { ...energy, functional: scale };
  if (stated.startsWith(UNNAMED_SCALE) && scale === undefined)
    throw new RefusedUnit(
      'its energy has no energy scale (functional, run_type): pass one with --scale NAME; energies of different scales are never mixed',
    );
  if (scale === undefined || scale === stated) return energy;
  // A name with details in parentheses is a whole scale and no word of another one.
  const functional = stated.replace(`${UNNAMED_SCALE}, `, '');
  if (!isNamedIn(scale, functional))
    throw new RefusedUnit(
      `its energy is on the scale "${stated}", not on "${scale}": import such rows separately, with a --scale that contains the word ${functional}, or without --scale if they name a whole scale`,
    );
  return { ...energy, functional: scale };
}

/** Fills in the operator's statements where the row has none. */
export function withStatedOrigin(draft: MaterialDraft, origin: StatedOrigin): MaterialDraft {
  const { given } = draft;
  // The option applies only to the row's top-level energy: a line with several energies names the scale of each.
  const [own, ...others] = draft.energies;
  return {
    ...draft,
    energies: own
      ? [
          onScale(own, origin),
          ...others.map((energy) =>
            onScale(energy, energy.functional.startsWith(UNNAMED_SCALE) ? origin : {}),
          ),
        ]
      : [],
    given: {
      ...given,
      sourceName:
        origin.source !== undefined && UNNAMED_SOURCES.includes(given.sourceName)
          ? origin.source
          : given.sourceName,
      sourceLicence: given.sourceLicence || (origin.licence ?? ''),
    },
  };
}
