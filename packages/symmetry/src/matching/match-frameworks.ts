/**
 * Groups compounds of one host: their structures match after a working ion is removed, so that they differ only
 * by insertion of the ion (topotactic reactions).
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
 * Ordered ions distort the framework, so that its primitive cell is found only with a larger tolerance. Unit as
 * for `PRIMITIVE_TOLERANCE`. The larger value is about 0.6 Å, still below the tolerance of a match.
 */
const PRIMITIVE_TOLERANCES = [PRIMITIVE_TOLERANCE, 0.25];

/**
 * Largest ratio of two volumes per framework unit. Layered hosts expand by a third for large ions; alloys that
 * change their framework expand more.
 */
const MAX_VOLUME_RATIO = 1.5;

/**
 * Maximum number of atoms in a primitive framework that is compared: the time of matching grows with its
 * square.
 */
const MAX_FRAMEWORK_SITES = 200;

/** Maximum number of members of a group with which a new structure is compared. */
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
 * The framework of a structure; null if nothing remains without the ion, or if the framework is too large to be
 * compared.
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
 * Groups frameworks of one composition that match each other; returns positions in the list. Each framework
 * joins the first group that contains a matching framework.
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
