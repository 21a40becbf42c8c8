/** POST /api/stability/reaction/: balanced reactions with measured and computed energies under conditions. */
import {
  calculateReaction,
  MAX_BALANCES,
  MAX_SPECIES,
  type ReactionCurve,
  STABILITY_TEMPERATURES,
  STANDARD_CONDITIONS,
} from '@unitcell/contract/stability';
import { atomCount, type Composition, CrystalError, parseFormula, reducedFormula } from '@unitcell/crystal';
import { isElementSymbol, KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { roundTo } from '@unitcell/numerics';
import {
  balance,
  equationText,
  equilibriumLogPressure,
  findSubstance,
  isMolecular,
  type MeasuredSubstance,
  reactionEnergy,
  reactionRange,
  type ReactionTerm,
  turningTemperatures,
  type WantedPhase,
} from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { reasonMessage, wordsOf } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import {
  computedCompounds,
  computedReaction,
  type ReactionPart,
  storedEnergies,
} from './computed-energies.ts';

interface TypedSpecies {
  readonly formula: string;
  readonly side: 'reactant' | 'product';
  /** Composition of one unit of `formula`. */
  readonly composition: Composition;
  readonly measured: MeasuredSubstance | null;
  readonly pressure: number | null;
}

const COEFFICIENT = /^\d+(?:[./]\d+)?\s*(?=[A-Z([])/;
const PHASE = /\s*\((g|s|l|cr)\)$/i;

/** @throws AppError stability.bad-formula, stability.no-gas */
function readSpecies(
  text: string,
  side: TypedSpecies['side'],
  pressures: ReadonlyMap<string, number>,
): TypedSpecies {
  const bare = text.trim().replace(COEFFICIENT, '');
  const phase = PHASE.exec(bare)?.[1]?.toLowerCase();
  const typed = bare.replace(PHASE, '');
  const wanted: WantedPhase = phase === undefined ? 'any' : phase === 'g' ? 'gas' : 'condensed';
  let composition: Composition;
  try {
    composition = parseFormula(typed);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('stability.bad-formula', {
      text: text.trim().slice(0, 40),
      reason: reasonMessage(error),
    });
  }
  const measured = findSubstance(composition, wanted);
  // Without a phase, a molecular formula such as N2O4 means the gas. The energy of a molecular crystal would
  // be far off.
  if (measured === null && (wanted === 'gas' || (wanted === 'any' && isMolecular(composition))))
    throw new AppError('stability.no-gas', { formula: typed });
  // A single O means O2.
  const isMolecule =
    measured?.phase === 'gas' && atomCount(composition) === 1 && atomCount(measured.composition) === 2;
  const formula = isMolecule ? measured.formula : typed;
  const pressure = pressures.get(formula) ?? STANDARD_CONDITIONS.pressure;
  return {
    formula,
    side,
    composition: isMolecule ? measured.composition : composition,
    measured,
    pressure: measured?.phase === 'gas' ? pressure : null,
  };
}

/** @throws AppError stability.no-species, and the errors of reading a species */
function readSide(
  text: string,
  side: TypedSpecies['side'],
  pressures: ReadonlyMap<string, number>,
): readonly TypedSpecies[] {
  const parts = text.split(/[+,;，；]/).filter((part) => part.trim() !== '');
  if (parts.length === 0) throw new AppError('stability.no-species');
  return parts.map((part) => readSpecies(part, side, pressures));
}

/** The elements of a text such as `Fe, Cr`. @throws AppError stability.unknown-element */
export function readElements(typed: string): readonly string[] {
  const elements = [...new Set(wordsOf(typed))];
  const unknown = elements.find((text) => !isElementSymbol(text));
  if (unknown !== undefined) throw new AppError('stability.unknown-element', { text: unknown.slice(0, 20) });
  return elements;
}

/**
 * Temperature in K, rounded to a millionth: energies divided by the smallest numbers would be infinite.
 * @throws AppError stability.bad-temperature
 */
export function readTemperature(value: number): number {
  const { min, max } = STABILITY_TEMPERATURES;
  if (!(value >= min && value <= max)) throw new AppError('stability.bad-temperature', { value, min, max });
  return roundTo(value, 6);
}

/** @throws AppError stability.bad-pressure */
function readPressures(typed: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  for (const [gas, value] of Object.entries(typed))
    if (!(value > 0)) throw new AppError('stability.bad-pressure', { gas: gas.slice(0, 40), value });
  return new Map(Object.entries(typed).map(([gas, value]) => [gas.trim().replace(PHASE, ''), value]));
}

const listed = (species: readonly TypedSpecies[], indices: readonly number[]): string =>
  indices.map((index) => species[index]?.formula ?? '').join(', ');

/** @throws AppError stability.wrong-side, stability.idle-species, stability.one-sided, stability.impossible */
function balanced(species: readonly TypedSpecies[]) {
  const found = balance(
    species.filter(({ side }) => side === 'reactant'),
    species.filter(({ side }) => side === 'product'),
  );
  if (found.outcome === 'balanced') return found;
  if (found.outcome === 'wrong-side')
    throw new AppError('stability.wrong-side', { formulas: listed(species, found.species) });
  if (found.outcome === 'idle')
    throw new AppError('stability.idle-species', { formulas: listed(species, found.species) });
  if (found.outcome === 'one-sided')
    throw new AppError('stability.one-sided', { elements: found.elements.join(', ') });
  throw new AppError('stability.impossible');
}

const GRID_STEP = 50;
const kilojoule = (energy: number): number => roundTo(energy * KJ_PER_MOL_PER_EV, 4);

/** @param error expected error, eV; null: none or unknown */
function curveOf(
  terms: readonly ReactionTerm[],
  kinks: readonly number[],
  wanted: number,
  error: number | null,
): ReactionCurve | null {
  const { min, max } = reactionRange(terms);
  if (min >= max) return null;
  const grid = Array.from({ length: Math.floor(max / GRID_STEP) + 1 }, (_, index) => index * GRID_STEP);
  const temperatures = [...new Set([min, max, STANDARD_CONDITIONS.temperature, ...kinks, ...grid])]
    .filter((temperature) => temperature >= min && temperature <= max)
    .sort((a, b) => a - b);
  const energies = temperatures.map((temperature) => reactionEnergy(terms, temperature));
  const at = wanted >= min && wanted <= max ? reactionEnergy(terms, wanted) : null;
  const standard = terms.map((term) => ({ ...term, pressure: null }));
  return {
    temperatures,
    enthalpy: energies.map(({ enthalpy }) => kilojoule(enthalpy)),
    gibbs: energies.map(({ gibbs }) => kilojoule(gibbs)),
    turning: turningTemperatures(terms, temperatures).map((temperature) => roundTo(temperature, 1)),
    at: at && {
      enthalpy: kilojoule(at.enthalpy),
      gibbs: kilojoule(at.gibbs),
      log_k:
        wanted === 0
          ? null
          : roundTo(-equilibriumLogPressure(reactionEnergy(standard, wanted).gibbs, wanted), 4),
      error: error === null ? null : kilojoule(error),
    },
  };
}

function measuredTerms(parts: readonly ReactionPart[]): readonly ReactionTerm[] | null {
  const terms = parts.flatMap(({ measured, composition, pressure, amount }) =>
    measured === null
      ? []
      : [
          {
            substance: measured,
            amount: (amount * atomCount(composition)) / atomCount(measured.composition),
            pressure,
          },
        ],
  );
  return terms.length === parts.length ? terms : null;
}

export function reactionRoute(app: FastifyInstance, services: Services): void {
  serveCall(app, calculateReaction, async ({ body }) => {
    const temperature = readTemperature(body.temperature ?? STANDARD_CONDITIONS.temperature);
    const pressures = readPressures(body.pressures ?? {});
    const typed = [
      ...readSide(body.reactants, 'reactant', pressures),
      ...readSide(body.products, 'product', pressures),
    ];
    if (typed.length > MAX_SPECIES)
      throw new AppError('stability.too-many-species', { count: typed.length, limit: MAX_SPECIES });
    // An element and its vapour, Zn and Zn(g), are two substances; only then the gas is named with its phase.
    const species = typed.map((one) => {
      const isShared = typed.some(({ formula, pressure }) => formula === one.formula && pressure === null);
      return one.pressure !== null && isShared ? { ...one, formula: `${one.formula}(g)` } : one;
    });
    const twice = species.find(
      ({ formula }, index) => species.findIndex((one) => one.formula === formula) < index,
    );
    if (twice) throw new AppError('stability.same-species', { formula: twice.formula });
    const gases = typed.filter(({ pressure }) => pressure !== null).map(({ formula }) => formula);
    const unknown = [...pressures.keys()].find((gas) => !gases.includes(gas));
    if (unknown !== undefined)
      throw new AppError('stability.unknown-gas', {
        gas: unknown.slice(0, 40),
        known: gases.join(', ') || '–',
      });
    const { balances, independent } = balanced(species);
    const scale = await services.phaseEntries.scale(body.functional);
    const condensed = species.filter(({ measured }) => measured === null || measured.phase === 'condensed');
    const stored = await storedEnergies(
      services,
      scale.functional,
      condensed.map(({ composition }) => composition),
    );
    const computed = computedCompounds(stored, condensed);
    const kinks = species.flatMap(
      ({ measured }) => measured?.transitions.map((one) => one.temperature) ?? [],
    );
    return {
      ...done,
      temperature,
      independent,
      species: species.map(({ formula, side, composition, measured, pressure }) => ({
        formula,
        side,
        phase: measured?.phase ?? 'condensed',
        pressure,
        measured: measured && {
          source: measured.source,
          table: measured.table,
          temperature_min: measured.range.min,
          temperature_max: measured.range.max,
        },
        computed:
          measured === null || measured.phase === 'condensed'
            ? (computed.get(reducedFormula(composition))?.answer ?? null)
            : null,
        transitions: [...(measured?.transitions ?? [])],
      })),
      balances: balances.slice(0, MAX_BALANCES).map((coefficients) => {
        const terms = species.map((one, index) => ({ ...one, coefficient: coefficients[index] ?? 0 }));
        const taking = (side: TypedSpecies['side']) =>
          terms.filter((term) => term.side === side && term.coefficient > 0);
        const parts = terms
          .map((one) => ({ ...one, amount: (one.side === 'reactant' ? -1 : 1) * one.coefficient }))
          .filter(({ amount }) => amount !== 0);
        const measured = measuredTerms(parts);
        const calculated = computedReaction(parts, computed);
        return {
          equation: equationText({ reactants: taking('reactant'), products: taking('product') }),
          coefficients: [...coefficients],
          measured: measured && curveOf(measured, kinks, temperature, null),
          computed: calculated && curveOf(calculated.terms, kinks, temperature, calculated.error),
        };
      }),
      ...scale,
    };
  });
}
