/** Recomputes energies above hull from our export alone: reads the lines, builds the hull, computes the energies. */
import { atomCount, type Composition } from '@unitcell/crystal';
import { buildHull, energiesAboveHull } from '@unitcell/phase-equilibria';
import { exportRows, toImportLine } from '../catalogue/export/export-materials.ts';
import type { Database } from '../infra/database.ts';

interface ExportedLine {
  readonly struct_id: number;
  readonly structure: {
    readonly sites: readonly {
      readonly species: readonly { readonly element: string; readonly occu: number }[];
    }[];
  };
  readonly functional: string;
  /** eV, of the original cell */
  readonly energy?: number;
  readonly formation_energy_per_atom?: number;
  readonly derived: readonly { readonly functional: string; readonly energy_above_hull: number | null }[];
}

export interface Recomputed {
  readonly structId: number;
  /** eV/atom, from the exported structures and energies. */
  readonly recomputed: number;
  /** eV/atom, as shown by the site. */
  readonly shown: number;
}

function compositionOfLine({ structure }: ExportedLine): Composition {
  const amounts: Record<string, number> = {};
  for (const { species } of structure.sites)
    for (const { element, occu } of species) amounts[element] = (amounts[element] ?? 0) + occu;
  return amounts;
}

/** Energies above the hull of all materials of `elements` on one scale. */
export async function recomputeFromExport(
  database: Pick<Database, 'readDb'>,
  functional: string,
  elements: readonly string[],
): Promise<readonly Recomputed[]> {
  const lines: ExportedLine[] = [];
  for await (const row of exportRows(database, { elements, withSubsystems: true })) {
    const line = JSON.parse(JSON.stringify(toImportLine(row))) as ExportedLine;
    if (line.functional === functional) lines.push(line);
  }
  const hull = buildHull(
    lines.map((line) => {
      const composition = compositionOfLine(line);
      const energy = line.energy ?? (line.formation_energy_per_atom ?? Number.NaN) * atomCount(composition);
      return { id: String(line.struct_id), composition, energy };
    }),
  );
  return Array.from(energiesAboveHull(hull), (recomputed, i) => ({
    structId: lines[i]?.struct_id ?? 0,
    recomputed,
    shown: lines[i]?.derived.find((one) => one.functional === functional)?.energy_above_hull ?? Number.NaN,
  }));
}
