/** The public pages: counters, the texts of the operator, and the lists programs choose from. */
import { getData, getLists, type Lists } from '@unitcell/contract/about';
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import { RADIATION_SOURCES } from '@unitcell/diffraction';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import { listNets } from '@unitcell/tight-binding';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import type { PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import { serveCall } from '../../http/serve-call.ts';
import { preferredLanguage } from '../../messages/messages.ts';
import { type About, about, aboutRepository } from './about.ts';

type ReadLists = () => Promise<Lists>;

const charges: Readonly<Record<string, number>> = WORKING_ION_CHARGES;

function lists(entries: PhaseEntries): ReadLists {
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

function aboutRoutes(app: FastifyInstance, pages: About, readLists: ReadLists): void {
  serveCall(app, getData, ({ request }) => pages.data(preferredLanguage(request.headers['accept-language'])));
  serveCall(app, getLists, readLists);
}

export function aboutFeature(app: FastifyInstance, { database, phaseEntries }: Services): void {
  aboutRoutes(app, about(aboutRepository(database)), lists(phaseEntries));
}
