/**
 * Rows of the `hull-entries` dataset (computed entries of complete chemical systems) as import lines, with
 * total energies.
 */
import { latticeVectorsFromParameters } from '@unitcell/crystal';

export interface HullEntry {
  readonly id: string;
  /**
   * eV per cell, without the correction of the scheme (the dataset's README says otherwise, but the published
   * hulls agree with this).
   */
  readonly energy: number;
  readonly correction?: number;
  readonly run?: string;
  readonly hubbards?: Record<string, number>;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly string[];
  readonly x: readonly number[] | readonly (readonly number[])[];
}

/**
 * @param scale name of the energy scale; the dataset's files use different schemes, which must not share a
 * hull
 */
export function hullEntryLine(row: HullEntry, scale: string): object {
  const [a, b, c, alpha, beta, gamma] = row.lat;
  const coords = row.x.flat();
  return {
    structure: {
      lattice: { matrix: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }) },
      sites: row.sp.map((element, i) => ({
        species: [{ element, occu: 1 }],
        abc: coords.slice(3 * i, 3 * i + 3),
      })),
    },
    energy: row.energy + (row.correction ?? 0),
    functional: scale,
    ...(row.hubbards && Object.keys(row.hubbards).length > 0
      ? { is_hubbard: true, hubbards: row.hubbards }
      : {}),
    source: { name: 'Materials Project', id: row.id, licence: 'CC BY 4.0' },
    provenance: { run_type: row.run, correction: row.correction },
  };
}
