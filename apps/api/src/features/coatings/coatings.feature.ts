/** Coatings between two phases, and matrices of interface reactions. */
import {
  COATING_LIMITS,
  type CoatingFilter,
  type CoatingPhase,
  type CoatingReaction,
  type CoatingSearch,
  compareCoatings,
  coatingMatrix,
  DEFAULT_REACTION_LIMIT,
  searchCoatings,
} from '@unitcell/contract/coatings';
import { MAX_INTERFACE_ELEMENTS } from '@unitcell/contract/interface-reaction';
import type { ListCompleteness } from '@unitcell/contract/common';
import { PREDICTED_SCALE, type PredictedInterval } from '@unitcell/contract/prediction';
import { displayFormula, parseFormula, reducedFormula, structureFormat } from '@unitcell/crystal';
import { priceOfElements } from '@unitcell/elements';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { readElements, readIon } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { elementsOfFormula, systemOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { OpenElement } from '../../domain/thermodynamics/phase-hull.ts';
import { reactantOfId, readReactantFormula } from '../../domain/thermodynamics/reactants.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Caller } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import { type CandidateFilters, candidateSearch } from './candidates.ts';
import type * as coatingsThread from './coatings.thread.ts';
import type { OwnPhase, PairReaction } from './coatings.thread.ts';
import { measuredConductivities } from './li-conductors.ts';
import { literatureOf } from './literature.ts';

const CACHED_ANSWERS = 50;
const DEFAULT_ROWS = 50;
/** eV/atom; far above any formation energy. */
const MAX_OWN_ENERGY = 20;

/** A voltage U against the metal lowers the chemical potential of the ion by U times the ion's charge. */
const openAt = (ion: string, potential: number | undefined): OpenElement | null =>
  potential === undefined
    ? null
    : { element: ion, chemicalPotential: -potential * (WORKING_ION_CHARGES[ion] ?? 1) };

/** A phase of the request or a material of the matrix. Reactions start from the equilibrium phases at its composition. */
interface Read extends Pick<CoatingPhase, 'formula' | 'struct_id' | 'matched' | 'not_placed'> {
  /** Formula in stored form. */
  readonly stored: string;
  /** Formation energy of a compound whose energy is predicted, eV/atom. */
  readonly predicted?: PredictedInterval;
}

/** @throws AppError phase.too-many-elements */
function assertSize(formulas: readonly string[], open: OpenElement | null): void {
  const elements = new Set([
    ...formulas.flatMap(elementsOfFormula),
    ...(open === null ? [] : [open.element]),
  ]);
  if (elements.size > MAX_INTERFACE_ELEMENTS)
    throw new AppError('phase.too-many-elements', { count: elements.size, limit: MAX_INTERFACE_ELEMENTS });
}

const shownFormula = (stored: string): string => displayFormula(parseFormula(stored));

const ownPhases = (partners: readonly Read[]): OwnPhase[] =>
  partners.flatMap(({ stored, predicted }) =>
    predicted === undefined ? [] : [{ formula: stored, energy: predicted }],
  );

/** Number of compounds missing in the system of two formulas; null if that is not known. */
const missingIn = (
  { status, incomplete }: ListCompleteness,
  formulas: readonly string[],
  ion: string | null,
): number | null => {
  if (status === 'not-known') return null;
  const elements = new Set([...formulas.flatMap(elementsOfFormula), ...(ion === null ? [] : [ion])]);
  return incomplete[[...elements].sort().join('-')]?.missing_count ?? 0;
};

const toReaction = (
  { energy, atomicFraction, equation, interval }: PairReaction,
  missing: number | null,
): CoatingReaction => ({
  energy,
  atomic_fraction: atomicFraction,
  equation,
  missing,
  ...(interval && { interval: { ...interval } }),
});

/** A hint if no coating is found: the filters without which most materials pass, and how many do. */
function nothingMessage(
  { counts }: Pick<CoatingSearch, 'counts'>,
  wayOut: { readonly names: readonly CoatingFilter[]; readonly materials: number } | null,
  cheapest: number | null,
  ion: string,
  t: Translate,
): string {
  if (counts.price > 0)
    return cheapest === null
      ? t('coatings.price-unknown', { count: counts.price })
      : t('coatings.price-leaves-none', { count: counts.price, cheapest });
  if (counts.formulas > 0)
    return t('coatings.too-large', { count: counts.formulas, limit: MAX_INTERFACE_ELEMENTS });
  if (wayOut === null) return t('coatings.no-windows', { ion });
  const named = wayOut.names.map((name) => `“${t(`coatings.filter.${name}`)}”`);
  return t('coatings.nothing-but', { count: wayOut.materials, filters: named.join(t('coatings.and')) });
}

export function coatingsFeature(app: FastifyInstance, services: Services): void {
  const { phaseEntries: entries, completeness, scaleAccuracy, predictions, threads } = services;
  const { catalogueCaches, database } = services;
  const handle = threads.open<typeof coatingsThread>(new URL('./coatings.thread.ts', import.meta.url));
  const find = candidateSearch(database);
  const searches = catalogueCaches.create<Awaited<ReturnType<typeof rank>>>(CACHED_ANSWERS);

  /** Reads an id or a formula. A formula stands for its most stable material, if the catalogue has one. */
  async function readMaterial(typed: string | number, functional: string): Promise<Read> {
    const text = String(typed).trim();
    if (/^\d+$/.test(text)) {
      const { structId, formulaReduced } = await reactantOfId(entries, functional, text);
      return {
        stored: formulaReduced,
        formula: shownFormula(formulaReduced),
        struct_id: structId,
      };
    }
    const stored = readReactantFormula(text);
    const lowest = await entries.lowestOfFormula(functional, stored);
    return {
      stored,
      formula: shownFormula(stored),
      struct_id: lowest?.structId ?? null,
    };
  }

  /**
   * The materials as shown. @param above energies above the hull of the user's compounds, by stored formula
   */
  async function shown(
    functional: string,
    read: readonly Read[],
    above: ReadonlyMap<string, PredictedInterval> = new Map(),
  ): Promise<CoatingPhase[]> {
    const ids = read.flatMap(({ struct_id }) => struct_id ?? []);
    const energies = await find.energiesAboveHull(functional, ids);
    return read.map(({ stored, formula, struct_id, predicted, matched, not_placed }) => {
      const own = above.get(stored);
      return {
        formula,
        struct_id,
        energy_above_hull: own?.value ?? (struct_id === null ? null : (energies.get(struct_id) ?? null)),
        ...(predicted && own && { predicted: { formation_energy: predicted, energy_above_hull: own } }),
        ...(matched && { matched }),
        ...(not_placed !== undefined && { not_placed }),
      };
    });
  }

  /**
   * A compound entered by the user, with its predicted energy. On energy scales other than the model's, the
   * predicted energy is not used, only the composition.
   * @throws AppError coatings.bad-energy
   */
  function ownCompound(stored: string, predicted: PredictedInterval, functional: string, t: Translate): Read {
    const read = { stored, formula: shownFormula(stored), struct_id: null };
    const { value, low, high } = predicted;
    if (!(low <= value && value <= high && Math.abs(low) < MAX_OWN_ENERGY && Math.abs(high) < MAX_OWN_ENERGY))
      throw new AppError('coatings.bad-energy', { formula: read.formula, low, value, high });
    if (functional !== PREDICTED_SCALE)
      return { ...read, not_placed: t('coatings.own-scale', { functional, scale: PREDICTED_SCALE }) };
    return { ...read, predicted };
  }

  /**
   * The crystal of a CIF or POSCAR: the catalogue's material with the same structure if there is one,
   * otherwise a compound with a predicted energy or the reason why it cannot be predicted.
   * @throws AppError coatings.bad-structure
   */
  async function readCrystal(text: string, functional: string, t: Translate, caller: Caller): Promise<Read> {
    const composition = await handle.run('compositionOfText', text, caller);
    const stored = reducedFormula(composition);
    if (Object.keys(composition).length === 1) return readMaterial(shownFormula(stored), functional);
    try {
      const made = await predictions.ofSubject({ text, name: '' }, undefined, t, caller);
      const known = made.struct_id === null ? null : await entries.material(functional, made.struct_id);
      if (known !== null && known.formationEnergyPerAtom !== null)
        return { ...(await readMaterial(known.structId, functional)), matched: true };
      return ownCompound(stored, made.formation_energy_per_atom, functional, t);
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('prediction.')) throw error;
      const reason = t(error.code, error.parameters);
      return { stored, formula: shownFormula(stored), struct_id: null, not_placed: reason };
    }
  }

  /** Reads a material, a crystal's file, or a compound entered by the user. @throws AppError coatings.no-partner */
  async function readPartner(
    typed: string | number,
    energy: PredictedInterval | undefined,
    functional: string,
    t: Translate,
    caller: Caller,
  ): Promise<Read> {
    const text = String(typed).trim();
    if (text === '') throw new AppError('coatings.no-partner');
    if (text.includes('\n') && structureFormat(text) !== undefined)
      return readCrystal(String(typed), functional, t, caller);
    return energy === undefined || /^\d+$/.test(text)
      ? readMaterial(text, functional)
      : ownCompound(readReactantFormula(text), energy, functional, t);
  }

  /** The stable phases of the systems of all pairs. */
  async function phasesOfPairs(
    functional: string,
    pairs: readonly (readonly [string, string])[],
    open: OpenElement | null,
    caller: Caller,
  ) {
    const ion = open?.element ?? null;
    return entries.stablePhasesOf(functional, await handle.run('systemsOfPairs', { pairs, ion }, caller));
  }

  async function rank(
    functional: string,
    [a, b]: readonly [Read, Read],
    filters: CandidateFilters,
    options: { maxPrice: number | null; open: OpenElement | null; reactionLimit: number; count: number },
    caller: Caller,
  ) {
    const { maxPrice, open, reactionLimit, count } = options;
    const ion = open?.element ?? null;
    const partners = [a.stored, b.stored];
    const [{ materials, formulas }] = await Promise.all([
      find.formulas(functional, filters, partners),
      // After a change of the catalogue, this reads the stable phases while the candidates are searched.
      entries.stablePhasesOf(functional, []),
    ]);
    const { chosen, price, left, cheapest } = await handle.run(
      'chooseFormulas',
      { formulas, partners, ion, maxPrice },
      caller,
    );
    const candidates = await find.candidates(functional, filters, chosen);
    const own = ownPhases([a, b]);
    const deviations = await scaleAccuracy.deviationsOf(functional);
    /** The best candidates of one part of the list. */
    async function rankPart(part: typeof candidates) {
      const pairs = part.flatMap(({ formulaReduced }) => [
        [formulaReduced, a.stored] as const,
        [formulaReduced, b.stored] as const,
      ]);
      const phases = await phasesOfPairs(functional, [...pairs, [a.stored, b.stored]], open, caller);
      return handle.run(
        'rankCandidates',
        {
          a: a.stored,
          b: b.stored,
          candidates: part.map(({ structId, formulaReduced, energyAboveHull }) => ({
            structId,
            formulaReduced,
            energyAboveHull,
          })),
          phases,
          own,
          open,
          deviations,
          reactionLimit,
          count,
        },
        caller,
      );
    }
    // Two threads calculate at a time. Neighbours in the list that belong to one chemical system share a hull.
    const bySystem = candidates
      .map((row) => ({ row, system: systemOfFormula(row.formulaReduced) }))
      .sort((one, other) => (one.system < other.system ? -1 : one.system > other.system ? 1 : 0))
      .map(({ row }) => row);
    const middle = Math.ceil(bySystem.length / 2);
    const [{ direct, placed, ...best }, others] = await Promise.all([
      rankPart(bySystem.slice(0, middle)),
      bySystem.length < 2 ? null : rankPart(bySystem.slice(middle)),
    ]);
    const ranked = [...best.ranked, ...(others?.ranked ?? [])].sort(compareCoatings).slice(0, count);
    const rowOf = new Map(candidates.map((row) => [row.structId, row]));
    const withIon = ion === null ? [] : [ion];
    const known = await completeness.ofEach(functional, [
      ...ranked.flatMap(({ structId }) =>
        [a, b].map(({ stored }) => [
          ...elementsOfFormula(rowOf.get(structId)!.formulaReduced),
          ...elementsOfFormula(stored),
          ...withIon,
        ]),
      ),
      [...elementsOfFormula(a.stored), ...elementsOfFormula(b.stored), ...withIon],
    ]);
    const { without, wayOut } =
      formulas.length > 0 ? { without: [], wayOut: null } : await find.waysOut(functional, filters);
    return {
      placed: new Map(own.map(({ formula }, index) => [formula, placed[index]!])),
      direct: toReaction(direct, missingIn(known, [a.stored, b.stored], ion)),
      results: ranked.map(({ structId, a: withA, b: withB }) => {
        const row = rowOf.get(structId)!;
        const side = ({ probability, ...reaction }: typeof withA, partner: Read) => ({
          ...toReaction(reaction, missingIn(known, [row.formulaReduced, partner.stored], ion)),
          probability,
        });
        const { usdPerKg, unknown } = priceOfElements(parseFormula(row.formulaReduced));
        const isA = withA.energy <= withB.energy;
        return {
          struct_id: structId,
          formula: row.formula,
          space_group: row.spaceGroup,
          observed: row.observed,
          energy_above_hull: row.energyAboveHull,
          band_gap: row.bandGap,
          reduction_onset: row.reductionOnset,
          oxidation_onset: row.oxidationOnset,
          price: usdPerKg === null ? null : Number(usdPerKg.toPrecision(4)),
          price_unknown: [...unknown],
          conductivity: measuredConductivities(row.formulaReduced),
          other_forms: row.forms - 1,
          with_a: side(withA, a),
          with_b: side(withB, b),
          worst: Math.min(withA.energy, withB.energy),
          worst_side: isA ? ('a' as const) : ('b' as const),
          probability:
            withA.probability === null || withB.probability === null
              ? null
              : Math.min(withA.probability, withB.probability),
        };
      }),
      counts: {
        materials,
        formulas: formulas.length,
        price,
        calculated: candidates.length,
        left,
      },
      without,
      wayOut,
      cheapest: cheapest === null ? null : Number(cheapest.toPrecision(3)),
      completeness: known,
    };
  }

  serveCall(app, searchCoatings, async ({ body, t, caller }) => {
    const scale = await entries.scale(body.functional);
    const { functional } = scale;
    const ion = readIon(body.working_ion);
    const filters: CandidateFilters = {
      workingIon: ion,
      window_min: body.window_min,
      window_max: body.window_max,
      min_band_gap: body.min_band_gap,
      max_energy_above_hull: body.max_energy_above_hull,
      exclude_elements: readElements(body.exclude_elements),
      include_elements: readElements(body.include_elements),
      observed_only: body.observed_only ?? false,
      max_elements: body.max_elements,
    };
    if (body.window_min !== undefined && body.window_max !== undefined && body.window_min > body.window_max)
      throw new AppError('coatings.bad-window', { min: body.window_min, max: body.window_max });
    const a = await readPartner(body.a, body.a_energy, functional, t, caller);
    const b = await readPartner(body.b, body.b_energy, functional, t, caller);
    if (a.stored === b.stored) throw new AppError('coatings.same', { formula: a.formula });
    const open = openAt(ion, body.potential);
    assertSize([a.stored, b.stored], open);
    for (const { stored } of [a, b]) {
      const count = new Set(elementsOfFormula(stored)).size;
      if (count > COATING_LIMITS.partnerElements)
        throw new AppError('phase.too-many-elements', { count, limit: COATING_LIMITS.partnerElements });
      await entries.stablePhases(functional, [...elementsOfFormula(stored), ion]);
    }
    const options = {
      maxPrice: body.max_price ?? null,
      open,
      reactionLimit: body.reaction_limit ?? DEFAULT_REACTION_LIMIT,
      count: body.limit ?? DEFAULT_ROWS,
    };
    const key = JSON.stringify([functional, a.stored, b.stored, ownPhases([a, b]), filters, options]);
    const {
      placed: above,
      wayOut,
      cheapest,
      ...found
    } = await searches.remember(key, () => rank(functional, [a, b], filters, options, caller));
    const [shownA, shownB] = await shown(functional, [a, b], above);
    return {
      ...done,
      ...found,
      results: found.results.map((row) => ({
        ...row,
        literature: literatureOf(reducedFormula(parseFormula(row.formula))).map(({ fact, ...source }) => ({
          text: t(fact),
          ...source,
        })),
      })),
      message: found.results.length > 0 ? '' : nothingMessage(found, wayOut, cheapest, ion, t),
      a: shownA!,
      b: shownB!,
      reaction_limit: options.reactionLimit,
      working_ion: ion,
      potential: body.potential ?? null,
      ...scale,
    };
  });

  serveCall(app, coatingMatrix, async ({ body, caller }) => {
    const scale = await entries.scale(body.functional);
    const { functional } = scale;
    const ion = readIon(body.working_ion);
    const open = openAt(ion, body.potential);
    const limit = body.against === undefined ? COATING_LIMITS.matrix : COATING_LIMITS.against;
    const typed = [...new Set(body.materials.map((one) => String(one).trim()).filter((text) => text !== ''))];
    if (typed.length > limit) throw new AppError('coatings.too-many', { count: typed.length, limit });
    const read: Read[] = [];
    for (const text of typed) {
      const one = await readMaterial(text, functional);
      if (!read.some(({ stored }) => stored === one.stored)) read.push(one);
    }
    const against = body.against === undefined ? null : await readMaterial(body.against, functional);
    if (read.length < (against === null ? 2 : 1)) throw new AppError('coatings.too-few');
    const cells =
      against === null
        ? read.flatMap((_, row) => read.slice(row + 1).map((__, after) => ({ row, column: row + 1 + after })))
        : read.map((_, row) => ({ row, column: 0 }));
    const withIon = open === null ? [] : [ion];
    const pairs = cells.map(
      ({ row, column }) => [read[row]!.stored, (against ?? read[column]!).stored] as const,
    );
    const unions = pairs.map((pair) => [...new Set([...pair.flatMap(elementsOfFormula), ...withIon])]);
    for (const pair of pairs) assertSize(pair, open);
    const phases = await phasesOfPairs(functional, pairs, open, caller);
    const known = new Set(phases.flatMap(({ formulaReduced }) => elementsOfFormula(formulaReduced)));
    const lacking = [...new Set(unions.flat())].filter((element) => !known.has(element));
    if (lacking.length > 0) throw new AppError('phase.no-data', { elements: lacking.join(', '), functional });
    // Pairs of one chemical system are neighbours, so that they share a hull.
    const order = pairs
      .map((_, index) => index)
      .sort((one, other) => (keyOf(unions[one]!) < keyOf(unions[other]!) ? -1 : 1));
    const reactions = await handle.run(
      'reactPairs',
      { pairs: order.map((index) => pairs[index]!), phases, open },
      caller,
    );
    const reactionOf = new Map(order.map((index, position) => [index, reactions[position]!]));
    const gaps = await completeness.ofEach(functional, unions);
    const [opposite = null] = await shown(functional, against === null ? [] : [against]);
    return {
      ...done,
      materials: await shown(functional, read),
      against: opposite,
      cells: cells.map((cell, index) => ({
        ...cell,
        ...toReaction(reactionOf.get(index)!, missingIn(gaps, pairs[index]!, open?.element ?? null)),
      })),
      working_ion: ion,
      potential: body.potential ?? null,
      completeness: gaps,
      ...scale,
    };
  });
}

const keyOf = (elements: readonly string[]): string => [...elements].sort().join('-');
