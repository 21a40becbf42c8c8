/** POST /api/stability/ellingham/: lines of an Ellingham diagram, measured and from energies of the catalogue. */
import {
  drawEllingham,
  ELLINGHAM_DIAGRAMS,
  ELLINGHAM_TEMPERATURES,
  type EllinghamDiagram,
  MAX_ELLINGHAM_ELEMENTS,
} from '@unitcell/contract/stability';
import { ELLINGHAM_GAS } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import { storedEnergies } from './computed-energies.ts';
import type * as ellinghamThread from './ellingham.thread.ts';
import { readElements, readTemperature } from './reaction.ts';

/** @throws AppError stability.unknown-kind */
function readKind(typed: string): EllinghamDiagram {
  const kind = ELLINGHAM_DIAGRAMS.find((one) => one === typed.trim().toLowerCase());
  if (kind === undefined)
    throw new AppError('stability.unknown-kind', {
      text: typed.slice(0, 20),
      known: ELLINGHAM_DIAGRAMS.join(', '),
    });
  return kind;
}

/** @throws AppError stability.no-elements, stability.unknown-element, stability.too-many-elements */
function readDiagramElements(typed: string): readonly string[] {
  const elements = readElements(typed);
  if (elements.length === 0) throw new AppError('stability.no-elements');
  if (elements.length > MAX_ELLINGHAM_ELEMENTS)
    throw new AppError('stability.too-many-elements', {
      count: elements.length,
      limit: MAX_ELLINGHAM_ELEMENTS,
    });
  return elements;
}

/** @throws AppError stability.bad-temperature, stability.bad-range */
function readRange(from: number, to: number) {
  const [min, max] = [readTemperature(from), readTemperature(to)];
  if (max - min < 1) throw new AppError('stability.bad-range', { min, max });
  return { min, max };
}

export function ellinghamRoute(app: FastifyInstance, services: Services): void {
  const handle = services.threads.open<typeof ellinghamThread>(
    new URL('./ellingham.thread.ts', import.meta.url),
  );
  serveCall(app, drawEllingham, async ({ body, caller }) => {
    const kind = readKind(body.kind ?? 'oxide');
    const elements = readDiagramElements(body.elements);
    const range = readRange(
      body.temperature_min ?? ELLINGHAM_TEMPERATURES.min,
      body.temperature_max ?? ELLINGHAM_TEMPERATURES.max,
    );
    const scale = await services.phaseEntries.scale(body.functional);
    const request = { kind, elements, range };
    const { hasLines, compounds, knownElements } = await handle.run('findLines', request, caller);
    if (!hasLines)
      throw new AppError('stability.no-lines', {
        elements: elements.join(', '),
        known: knownElements.join(' '),
      });
    const stored = await storedEnergies(services, scale.functional, compounds);
    const drawn = await handle.run('drawLines', { ...request, stored }, caller);
    return {
      ...done,
      kind,
      gas: ELLINGHAM_GAS[kind],
      elements: [...elements],
      temperature_min: range.min,
      temperature_max: range.max,
      ...drawn,
      known_elements: [...knownElements],
      ...scale,
    };
  });
}
