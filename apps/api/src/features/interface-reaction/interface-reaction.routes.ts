import { interfaceReceive } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { InterfaceReactions } from './interface-reaction.service.ts';

export function interfaceReactionRoutes(app: FastifyInstance, reactions: InterfaceReactions): void {
  serveCall(app, interfaceReceive, ({ body, t, asker }) =>
    reactions.react(
      {
        reactant1: body.reactant1,
        reactant2: body.reactant2,
        openElement: body.open_element ?? '',
        chemicalPotential: body.chemical_potential ?? 0,
        useHullEnergy: body.use_hull_energy ?? false,
        functional: body.functional,
      },
      t,
      asker,
    ),
  );
}
