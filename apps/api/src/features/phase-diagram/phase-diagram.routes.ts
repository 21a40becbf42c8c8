import { getEnergyScales, getPhaseDiagram, phaseDiagramHandle, placeCompound } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../plugins/serve-call.ts';
import type { PhaseDiagrams } from './phase-diagram.service.ts';

export function phaseDiagramRoutes(app: FastifyInstance, diagrams: PhaseDiagrams): void {
  // Up to megabytes, written as JSON by the thread that drew it. A test holds it against the contract.
  serveCall(
    app,
    phaseDiagramHandle,
    async ({ body }) => new RawJson(await diagrams.draw(body.include, body.functional)),
  );

  serveCall(app, getPhaseDiagram, async ({ body }) => {
    const include = Array.isArray(body.include) ? body.include.join(' ') : body.include;
    return new RawJson(await diagrams.draw(include, body.functional));
  });

  serveCall(app, placeCompound, ({ body }) =>
    diagrams.place({
      include: body.include,
      formula: body.formula,
      energyPerAtom: body.energy_per_atom,
      energyKind: body.energy_kind,
      functional: body.functional,
    }),
  );

  serveCall(app, getEnergyScales, () => diagrams.scales());
}
