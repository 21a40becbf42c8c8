import {
  getChemicalPotentials,
  getEnergyScales,
  getPhaseDiagram,
  phaseDiagramHandle,
  placeCompound,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { PhaseDiagrams } from './phase-diagram.service.ts';

export function phaseDiagramRoutes(app: FastifyInstance, diagrams: PhaseDiagrams): void {
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
