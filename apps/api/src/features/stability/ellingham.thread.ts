/** Worker thread: lines of Ellingham diagrams. The first call reads the measured tables (80 ms). Pure. */
import type { EllinghamDiagram, EllinghamLineAnswer, EllinghamResult } from '@unitcell/contract/stability';
import { type Composition, displayFormula } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { roundTo } from '@unitcell/numerics';
import {
  ellinghamElements,
  ellinghamEnergy,
  type EllinghamLine,
  ellinghamLines,
  equationText,
  type MeasuredSubstance,
  reactionEnergy,
} from '@unitcell/phase-equilibria';
import {
  type ComputedCompound,
  computedCompounds,
  computedReaction,
  type StoredEnergy,
} from './computed-energies.ts';

export interface EllinghamRequest {
  readonly kind: EllinghamDiagram;
  readonly elements: readonly string[];
  /** K */
  readonly range: { readonly min: number; readonly max: number };
}

const linesOf = ({ kind, elements, range }: EllinghamRequest): readonly EllinghamLine[] =>
  elements.flatMap((element) => ellinghamLines(kind, element, range));

const compoundsIn = (lines: readonly EllinghamLine[]): readonly MeasuredSubstance[] =>
  lines
    .flatMap(({ terms }) => terms.map(({ substance }) => substance))
    .filter(({ phase }) => phase === 'condensed');

/** The compounds whose energies the lines can use, and all elements that have lines. */
export const findLines = (request: EllinghamRequest) => {
  const lines = linesOf(request);
  return {
    hasLines: lines.length > 0,
    compounds: compoundsIn(lines).map(({ composition }): Composition => composition),
    knownElements: ellinghamElements(request.kind),
  };
};

const kilojoule = (energy: number): number => roundTo(energy * KJ_PER_MOL_PER_EV, 4);
/** Formula of a substance; for a gas the formula of the molecule. */
const nameOf = ({ phase, formula, composition }: MeasuredSubstance): string =>
  phase === 'condensed' ? displayFormula(composition) : formula;

function computedLine(
  line: EllinghamLine,
  computed: ReadonlyMap<string, ComputedCompound>,
): EllinghamLineAnswer['computed'] {
  const parts = line.terms.map(({ substance, amount }) => ({
    composition: substance.composition,
    measured: substance,
    amount,
    pressure: null,
  }));
  const found = computedReaction(parts, computed);
  if (found === null) return null;
  const { terms, compounds, error } = found;
  return {
    gibbs: line.temperatures.map((temperature) => kilojoule(reactionEnergy(terms, temperature).gibbs)),
    error: error === null ? null : kilojoule(error),
    struct_ids: compounds.map(({ answer }) => answer.struct_id),
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

/** The reactions 2 CO + O2 → 2 CO2 and 2 H2 + O2 → 2 H2O at the temperatures of the first reaction. */
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

/** The lines, with the energies of the catalogue by reduced formula. */
export function drawLines({
  stored,
  ...request
}: EllinghamRequest & { readonly stored: ReadonlyMap<string, StoredEnergy> }): Pick<
  EllinghamResult,
  'lines' | 'couples' | 'without'
> {
  const { kind, elements, range } = request;
  const lines = linesOf(request);
  const wanted = compoundsIn(lines).map((measured) => ({ composition: measured.composition, measured }));
  const computed = computedCompounds(stored, wanted);
  return {
    without: elements.filter((element) => lines.every((line) => line.element !== element)),
    lines: lines.map((line) => answerLine(line, computed)),
    couples: kind === 'oxide' ? couplesOf(range) : null,
  };
}
