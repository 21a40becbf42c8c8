/** The lists programs choose from, each from the table the calls themselves read. */
import { type Lists, WORKING_IONS } from '@unitcell/contract';
import { RADIATION_SOURCES } from '@unitcell/diffraction';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import { listNets } from '@unitcell/tight-binding';
import type { PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';

export type ReadLists = () => Promise<Lists>;

const charges: Readonly<Record<string, number>> = WORKING_ION_CHARGES;

export function lists(entries: PhaseEntries): ReadLists {
  const fixed = {
    lattices: listNets().map(({ id, names, planeGroup, positions }) => ({
      grid_id: id,
      names: [...names],
      plane_group: planeGroup,
      sites: positions.length,
    })),
    radiation_sources: RADIATION_SOURCES.map(({ id, name, wavelength }) => ({ id, name, wavelength })),
    working_ions: WORKING_IONS.map((symbol) => ({ symbol, charge: charges[symbol] ?? 1 })),
  };
  return async () => ({
    ...fixed,
    scales: (await entries.scales()).map(({ functional, materials }) => ({
      functional,
      materials,
      is_default: functional === entries.defaultFunctional,
    })),
  });
}
