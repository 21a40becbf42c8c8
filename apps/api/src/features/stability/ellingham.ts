/** POST /api/stability/ellingham/: lines of an Ellingham diagram, measured and from energies of the catalogue. */
import {
  drawEllingham,
  ELLINGHAM_DIAGRAMS,
  ELLINGHAM_TEMPERATURES,
  type EllinghamDiagram,
  type EllinghamLineAnswer,
  MAX_ELLINGHAM_ELEMENTS,
} from '@unitcell/contract/stability';
import { atomCount, displayFormula, reducedFormula } from '@unitcell/crystal';
import { isElementSymbol, KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { roundTo } from '@unitcell/numerics';
import {
  combinedError,
  ellinghamElements,
  ellinghamEnergy,
  ellinghamGas,
  type EllinghamLine,
  ellinghamLines,
  equationText,
  type ErrorPart,
  type MeasuredSubstance,
  reactionEnergy,
  type ReactionTerm,
} from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import { type ComputedCompound, computedCompounds } from './computed-energies.ts';
import { assertTemperature } from './reaction.ts';

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
function readElements(typed: string): readonly string[] {
  const elements = [...new Set(typed.split(/[\s,;，；、-]+/).filter((text) => text !== ''))];
  if (elements.length === 0) throw new AppError('stability.no-elements');
  const unknown = elements.find((text) => !isElementSymbol(text));
  if (unknown !== undefined) throw new AppError('stability.unknown-element', { text: unknown.slice(0, 20) });
  if (elements.length > MAX_ELLINGHAM_ELEMENTS)
    throw new AppError('stability.too-many-elements', {
      count: elements.length,
      limit: MAX_ELLINGHAM_ELEMENTS,
    });
  return elements;
}

/** @throws AppError stability.bad-temperature, stability.bad-range */
function readRange(min: number, max: number) {
  assertTemperature(min);
  assertTemperature(max);
  if (max - min < 1) throw new AppError('stability.bad-range', { min, max });
  return { min, max };
}

const kilojoule = (energy: number): number => roundTo(energy * KJ_PER_MOL_PER_EV, 4);
/** Formula of a substance; for a gas that of its molecule. */
const nameOf = ({ phase, formula, composition }: MeasuredSubstance): string =>
  phase === 'condensed' ? displayFormula(composition) : formula;

function computedLine(
  line: EllinghamLine,
  computed: ReadonlyMap<string, ComputedCompound>,
): EllinghamLineAnswer['computed'] {
  const structIds: number[] = [];
  const errors: ErrorPart[] = [];
  const terms: ReactionTerm[] = [];
  for (const { substance, amount } of line.terms) {
    if (substance.phase !== 'condensed') {
      terms.push({ substance, amount, pressure: null });
      continue;
    }
    const found = computed.get(reducedFormula(substance.composition));
    if (found === undefined) return null;
    const units = atomCount(substance.composition) / atomCount(found.energetics.composition);
    terms.push({ substance: found.energetics, amount: amount * units, pressure: null });
    structIds.push(found.answer.struct_id);
    errors.push({
      composition: substance.composition,
      error: found.error === null ? null : amount * units * found.error,
    });
  }
  if (errors.length === 0) return null;
  const error = combinedError(errors);
  return {
    gibbs: line.temperatures.map((temperature) => kilojoule(reactionEnergy(terms, temperature).gibbs)),
    error: error === null ? null : kilojoule(error),
    struct_ids: structIds,
  };
}

function answerLine(
  line: EllinghamLine,
  computed: ReadonlyMap<string, ComputedCompound>,
): EllinghamLineAnswer {
  const side = (isProduct: boolean) =>
    line.terms
      .filter(({ amount }) => amount > 0 === isProduct)
      .map(({ substance, amount }) => ({ formula: nameOf(substance), coefficient: Math.abs(amount) }));
  const sources = line.terms.flatMap(({ substance }) =>
    substance.source === 'definition' ? [] : [substance.source],
  );
  return {
    element: line.element,
    reactant: line.terms[0] === undefined ? '' : nameOf(line.terms[0].substance),
    product: line.terms[2] === undefined ? '' : nameOf(line.terms[2].substance),
    equation: equationText({ reactants: side(false), products: side(true) }),
    sources: [...new Set(sources)],
    temperatures: line.temperatures.map((temperature) => roundTo(temperature, 2)),
    gibbs: line.temperatures.map((temperature) => kilojoule(ellinghamEnergy(line, temperature))),
    transitions: line.transitions.map((transition) => ({
      ...transition,
      gibbs: kilojoule(ellinghamEnergy(line, transition.temperature)),
    })),
    computed: computedLine(line, computed),
  };
}

/** The reactions 2 CO + O2 → 2 CO2 and 2 H2 + O2 → 2 H2O at the temperatures of the first. */
function couplesOf(range: { readonly min: number; readonly max: number }) {
  const ofGas = (element: string) =>
    ellinghamLines('oxide', element, range).find(({ terms }) =>
      terms.every(({ substance }) => substance.phase === 'gas'),
    );
  const [carbon, hydrogen] = [ofGas('C'), ofGas('H')];
  if (carbon === undefined || hydrogen === undefined) return null;
  const { temperatures } = carbon;
  const energies = (line: EllinghamLine) =>
    temperatures.map((temperature) => kilojoule(ellinghamEnergy(line, temperature)));
  return { temperatures: [...temperatures], co_co2: energies(carbon), h2_h2o: energies(hydrogen) };
}

export function ellinghamRoute(app: FastifyInstance, services: Services): void {
  serveCall(app, drawEllingham, async ({ body }) => {
    const kind = readKind(body.kind ?? 'oxide');
    const elements = readElements(body.elements);
    const range = readRange(
      body.temperature_min ?? ELLINGHAM_TEMPERATURES.min,
      body.temperature_max ?? ELLINGHAM_TEMPERATURES.max,
    );
    const scale = await services.phaseEntries.scale(body.functional);
    const lines = elements.flatMap((element) => ellinghamLines(kind, element, range));
    const known = ellinghamElements(kind);
    if (lines.length === 0)
      throw new AppError('stability.no-lines', { elements: elements.join(', '), known: known.join(' ') });
    const compounds = lines
      .flatMap(({ terms }) => terms.map(({ substance }) => substance))
      .filter(({ phase }) => phase === 'condensed')
      .map((substance) => ({ composition: substance.composition, measured: substance }));
    const computed = await computedCompounds(services, scale.functional, compounds);
    return {
      ...done,
      kind,
      gas: ellinghamGas(kind).formula,
      elements: [...elements],
      without: elements.filter((element) => lines.every((line) => line.element !== element)),
      temperature_min: range.min,
      temperature_max: range.max,
      lines: lines.map((line) => answerLine(line, computed)),
      couples: kind === 'oxide' ? couplesOf(range) : null,
      known_elements: [...known],
      ...scale,
    };
  });
}
