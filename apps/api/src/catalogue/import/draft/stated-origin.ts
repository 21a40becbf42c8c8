/** What the operator says of all rows of an import, for what the rows do not tell: scale, source, licence. */
import type { EnergyOnScale, MaterialDraft } from '@unitcell/material';
import type { ImportMap } from '../map/import-map-schema.ts';
import { RefusedUnit } from './refused-unit.ts';

export interface StatedOrigin {
  /** Energy scale of rows that name none. */
  readonly scale?: string;
  /** Collection of rows that name none. */
  readonly source?: string;
  readonly licence?: string;
  /** How documents of another shape are read. */
  readonly map?: ImportMap;
}

/** The scale of an energy that came without one, until the operator names it. */
export const UNNAMED_SCALE = 'unspecified';

/** The same for an energy that names its functional, but not what else makes energies comparable. */
export const unnamedScaleOf = (functional: string | null): string =>
  functional === null ? UNNAMED_SCALE : `${UNNAMED_SCALE}, ${functional}`;

/** Names of a source that say nothing but the format. */
export const UNNAMED_SOURCES: readonly string[] = [
  'CIF',
  'OPTIMADE',
  'ComputedStructureEntry',
  'run',
  'pymatgen',
];

/** Runs that a name tells apart: energies of two of them never meet on one hull. The longer names go first. */
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
  FUNCTIONALS.find((name) => scale.toLowerCase().includes(name.toLowerCase()));

/** @throws RefusedUnit when the row tells another functional than the operator */
function onScale(energy: EnergyOnScale, { scale }: StatedOrigin): EnergyOnScale {
  if (energy.functional === UNNAMED_SCALE && scale !== undefined) return { ...energy, functional: scale };
  if (energy.functional.startsWith(UNNAMED_SCALE) && scale === undefined)
    throw new RefusedUnit(
      'its energy names no energy scale (functional, run_type): say which with --scale NAME; energies of different scales are never mixed',
    );
  if (scale === undefined || scale === energy.functional) return energy;
  const [told, stated] = [functionalIn(energy.functional), functionalIn(scale)];
  const isKnownElsewhere = energy.functional.startsWith(UNNAMED_SCALE) && told === undefined;
  if (!isKnownElsewhere && (told === undefined || told !== stated))
    throw new RefusedUnit(
      `its energy is on the scale "${energy.functional}", not on "${scale}": import such rows by themselves, with their own --scale or without one`,
    );
  return { ...energy, functional: scale };
}

/** The draft with what the operator says where the row does not. */
export function withStatedOrigin(draft: MaterialDraft, origin: StatedOrigin): MaterialDraft {
  const { given } = draft;
  // Only the row's own energy follows the option: a line that lists several names each.
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
