/**
 * Groups the compounds of one host: structures that match after a working ion is taken out of them, so that one turns
 * into another by insertion alone (topotactic).
 */
import {
  cellVolume,
  type Composition,
  compositionOf,
  formulaUnits,
  reducedComposition,
  type Site,
  type Structure,
} from '@unitcell/crystal';
import { type MatchCandidate, matchPrepared, prepareCandidate } from './match-structures.ts';
import { PRIMITIVE_TOLERANCE } from './prepare-structure.ts';

/**
 * Orders of the ions distort the framework, which is then primitive only to a larger tolerance. Unit as
 * `PRIMITIVE_TOLERANCE`; the larger one is about 0.6 Å, still below the tolerance of a match.
 */
const PRIMITIVE_TOLERANCES = [PRIMITIVE_TOLERANCE, 0.25];

/**
 * Largest ratio of two volumes per framework unit. Layered hosts of large ions swell by a third; alloys that rebuild
 * their framework swell more.
 */
const MAX_VOLUME_RATIO = 1.5;

/** Atoms of the largest primitive framework that is compared: matching takes longer with the square of the number. */
const MAX_FRAMEWORK_SITES = 200;

/** A new structure is compared with so many members of a group. */
const COMPARED_MEMBERS = 4;

/** A structure without its working ions, prepared for matching. */
export interface HostFramework {
  /** Atoms per formula unit of the framework, without the ion. */
  readonly unit: Composition;
  /** Ions per framework unit. */
  readonly ionContent: number;
  /** Å³ per framework unit */
  readonly volume: number;
  /** Primitive cells to several tolerances, the finest first. */
  readonly cells: readonly MatchCandidate[];
}

function withoutIon({ species, ...place }: Site, ion: string): Site[] {
  const rest = species.filter(({ element }) => element !== ion);
  return rest.length > 0 ? [{ ...place, species: rest }] : [];
}

/**
 * The framework of a structure; null if nothing is left without the ion, or if it is too large to be compared.
 * @throws SymmetryError for a non-finite or flat cell.
 */
export function frameworkOf(structure: Structure, ion: string): HostFramework | null {
  const framework = { ...structure, sites: structure.sites.flatMap((site) => withoutIon(site, ion)) };
  if (framework.sites.length === 0) return null;
  const finest = prepareCandidate(framework);
  if (finest.prepared.siteCount > MAX_FRAMEWORK_SITES) return null;
  const composition = compositionOf(framework);
  const units = formulaUnits(composition);
  const cells = PRIMITIVE_TOLERANCES.slice(1).map((tolerance) => prepareCandidate(framework, tolerance));
  return {
    unit: reducedComposition(composition),
    ionContent: (compositionOf(structure)[ion] ?? 0) / units,
    volume: cellVolume(structure.latticeVectors) / units,
    cells: [finest, ...cells.filter(({ prepared }) => prepared.siteCount < finest.prepared.siteCount)],
  };
}

function isSameHost(a: HostFramework, b: HostFramework): boolean {
  const ratio = a.volume / b.volume;
  if (ratio > MAX_VOLUME_RATIO || ratio < 1 / MAX_VOLUME_RATIO) return false;
  return a.cells.some((from) =>
    b.cells.some(({ prepared: to }) => matchPrepared(from, to, { firstOnly: true }) !== null),
  );
}

/**
 * Groups of frameworks of one composition that match each other, as positions in the list. Each framework joins the
 * first group of which it matches a member.
 */
export function groupByFramework(frameworks: readonly HostFramework[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  frameworks.forEach((framework, index) => {
    const own = groups.find((members) =>
      members.slice(0, COMPARED_MEMBERS).some((member) => isSameHost(framework, frameworks[member])),
    );
    if (own) own.push(index);
    else groups.push([index]);
  });
  return groups;
}
