/** A piece of a scale's hulls: some chemical systems of one size, whose smaller systems are derived already. */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import { collectHullChanges, type HullChanges } from '../releases/hull-changes.ts';
import { deriveSystem, type SystemEntry } from './derive-system.ts';
import type { DerivedEnergy, DerivedSystemMark, EnergyRow, HullRepository } from './hull.repository.ts';
import { systemIndex } from './system-index.ts';

/** The kind of these pieces. */
export const HULLS = 'hulls';

/** eV/atom. An entry this close to the hull is on it: below what any calculation resolves, above rounding. */
export const STABLE_TOLERANCE = 1e-6;
/** Systems whose stable entries are read at once. */
const CHUNK_STABLE = 5000;

export interface HullPiece {
  readonly functional: string;
  readonly releaseId: number;
  readonly names: readonly string[];
}

export interface HullPieceReport {
  readonly materials: number;
  /** Systems around those whose stable entries changed: they have to follow, and are marked. */
  readonly touched: readonly string[];
  readonly changes: HullChanges;
}

function groupBySystem(rows: readonly EnergyRow[]): Map<string, EnergyRow[]> {
  const groups = new Map<string, EnergyRow[]>();
  for (const row of rows) {
    const group = groups.get(row.chemicalSystem);
    if (group) group.push(row);
    else groups.set(row.chemicalSystem, [row]);
  }
  return groups;
}

/** What must stay the same for the systems around to stay as they are. */
const fingerprint = (entries: readonly SystemEntry[]): string =>
  entries
    .map((entry) => `${entry.structId}:${entry.formationEnergyPerAtom}:${entry.energyPerAtom}`)
    .sort()
    .join(' ');

const isStable = ({ energyAboveHull }: Pick<EnergyRow, 'energyAboveHull'>): boolean =>
  energyAboveHull !== null && energyAboveHull <= STABLE_TOLERANCE;

/** Derives pieces; what was read for one release is kept for its next pieces. */
export function hullPieces(repository: HullRepository): (piece: HullPiece) => Promise<HullPieceReport> {
  const fractionsOf = new Map<string, Composition>();
  const toEntry = (row: EnergyRow): SystemEntry => {
    let fractions = fractionsOf.get(row.formulaReduced);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(row.formulaReduced));
      fractionsOf.set(row.formulaReduced, fractions);
    }
    return { ...row, fractions };
  };

  const openRelease = async (functional: string) => ({
    index: systemIndex([
      ...(await repository.systems(functional)),
      ...(await repository.dirtySystems(functional)),
    ]),
    /** Stable entries by system: read when first needed, replaced when derived here. */
    stable: new Map<string, readonly SystemEntry[]>(),
  });
  let known: { readonly releaseId: number; readonly opened: ReturnType<typeof openRelease> } | null = null;

  return async ({ functional, releaseId, names }) => {
    if (known?.releaseId !== releaseId) known = { releaseId, opened: openRelease(functional) };
    const { index, stable } = await known.opened;
    const inside = new Map(names.map((name) => [name, index.properSubsets(name)]));
    const missing = [...new Set([...inside.values()].flat())].filter((name) => !stable.has(name));
    for (let start = 0; start < missing.length; start += CHUNK_STABLE) {
      const chunk = missing.slice(start, start + CHUNK_STABLE);
      // One after the other, to hold little of the database's answer at once.
      // oxlint-disable-next-line no-await-in-loop
      const found = groupBySystem(await repository.stable(functional, chunk, STABLE_TOLERANCE));
      for (const name of chunk) stable.set(name, (found.get(name) ?? []).map(toEntry));
    }
    const bySystem = groupBySystem(await repository.entries(functional, names));
    const saved: DerivedEnergy[] = [];
    const touched = new Set<string>();
    const marks: DerivedSystemMark[] = [];
    const changes = collectHullChanges(functional);
    for (const name of names) {
      const rows = bySystem.get(name) ?? [];
      const competitors = (inside.get(name) ?? []).flatMap((subset) => stable.get(subset) ?? []);
      const derived = deriveSystem(rows.map(toEntry), competitors);
      const after = derived.entries.filter(isStable);
      stable.set(name, after);
      saved.push(...derived.entries);
      rows.forEach((row, at) => changes.add(row, derived.entries[at]!));
      const stableChanged = fingerprint(rows.filter(isStable).map(toEntry)) !== fingerprint(after);
      marks.push({ chemicalSystem: name, stableChanged });
      if (stableChanged) for (const around of index.properSupersets(name)) touched.add(around);
    }
    await repository.save(functional, releaseId, saved, [...touched], marks);
    return { materials: saved.length, touched: [...touched], changes: changes.result() };
  };
}
