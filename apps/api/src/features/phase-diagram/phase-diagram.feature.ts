/** Phase diagrams: the page of their own and the panel of the material page. */
import {
  getChemicalPotentials,
  getEnergyScales,
  getPhaseDiagram,
  phaseDiagramHandle,
  placeCompound,
} from '@unitcell/contract/phase-diagram';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { phaseDiagrams, type PhaseDiagrams } from './phase-diagram.service.ts';
import type * as phaseDiagramThread from './phase-diagram.thread.ts';

export function phaseDiagramFeature(
  app: FastifyInstance,
  { phaseEntries, completeness, scaleTrust, threads, catalogueCaches }: Services,
): void {
  const door = threads.open<typeof phaseDiagramThread>(new URL('./phase-diagram.thread.ts', import.meta.url));
  phaseDiagramRoutes(
    app,
    phaseDiagrams({
      entries: phaseEntries,
      completeness,
      scaleTrust,
      threads: door,
      caches: catalogueCaches,
    }),
  );
}

function phaseDiagramRoutes(app: FastifyInstance, diagrams: PhaseDiagrams): void {
  // Up to megabytes, written as JSON by the thread that drew it. A test holds it against the contract.
  serveCall(
    app,
    phaseDiagramHandle,
    async ({ body, asker }) => new RawJson(await diagrams.draw(body.include, body.functional, asker)),
  );

  serveCall(app, getPhaseDiagram, async ({ body, asker }) => {
    const include = Array.isArray(body.include) ? body.include.join(' ') : body.include;
    return new RawJson(await diagrams.draw(include, body.functional, asker));
  });

  serveCall(app, placeCompound, ({ body, asker }) =>
    diagrams.place(
      {
        include: body.include,
        formula: body.formula,
        energyPerAtom: body.energy_per_atom,
        energyKind: body.energy_kind,
        functional: body.functional,
      },
      asker,
    ),
  );

  serveCall(app, getChemicalPotentials, ({ body, asker }) =>
    diagrams.chemicalPotentials(body.include, body.formula, body.functional, asker),
  );

  serveCall(app, getEnergyScales, () => diagrams.scales());
}
