/** POST /api/stability/pourbaix/: regions of a Pourbaix diagram from the catalogue or from measured tables. */
import { parseStructId } from '@unitcell/contract/common';
import { DEFAULT_CONCENTRATION, drawPourbaix, POURBAIX_POTENTIALS } from '@unitcell/contract/stability';
import { type Composition, CrystalError, parseFormula, reducedFormula } from '@unitcell/crystal';
import { MAX_POURBAIX_ELEMENTS, parseIon } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { reasonMessage } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import {
  isDissolvable,
  type ReferenceEnergies,
  referenceEnergies,
  referenceFormula,
} from '../../domain/thermodynamics/water-species.ts';
import { serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as pourbaixThread from './pourbaix.thread.ts';
import type { PlacedSolid } from './pourbaix.thread.ts';
import { readElements } from './reaction.ts';

/** @throws AppError pourbaix.bad-compound */
function readCompound(typed: string): Composition {
  try {
    return parseFormula(typed);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('pourbaix.bad-compound', { text: typed.slice(0, 40), reason: reasonMessage(error) });
  }
}

/** The composition of an ion. @throws AppError pourbaix.bad-ion */
function readIon(formula: string): Composition {
  try {
    const ion = parseIon(formula);
    if (ion !== null && Object.keys(ion.composition).filter(isDissolvable).length === 1)
      return ion.composition;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
  }
  throw new AppError('pourbaix.bad-ion', { text: formula.slice(0, 40) });
}

/** A number for each element; all must be positive. @throws AppError pourbaix.bad-amount */
function readAmounts(
  elements: readonly string[],
  typed: Readonly<Record<string, number>> | undefined,
  otherwise: (element: string) => number,
): readonly number[] {
  return elements.map((element) => {
    const value = typed?.[element] ?? otherwise(element);
    if (!(value > 0 && value < 1e9)) throw new AppError('pourbaix.bad-amount', { element, value });
    return value;
  });
}

/** @throws AppError pourbaix.bad-range */
function readPotentials(low: number, high: number): readonly [number, number] {
  const { min, max } = POURBAIX_POTENTIALS;
  if (!(low >= min && high <= max && high - low >= 0.1))
    throw new AppError('pourbaix.bad-range', { low, high, min, max });
  return [low, high];
}

export function pourbaixRoute(app: FastifyInstance, { phaseEntries, threads }: Services): void {
  const handle = threads.open<typeof pourbaixThread>(new URL('./pourbaix.thread.ts', import.meta.url));

  /** @throws AppError pourbaix.no-energy, pourbaix.bad-compound */
  async function placedSolid(
    body: {
      struct_id?: number | string | undefined;
      compound?: string | undefined;
      compound_energy?: number | undefined;
    },
    functional: string,
  ): Promise<PlacedSolid | null> {
    if (body.struct_id !== undefined) {
      const structId = parseStructId(String(body.struct_id));
      const found = structId === null ? null : await phaseEntries.material(functional, structId);
      if (found === null || found.formationEnergyPerAtom === null)
        throw new AppError('pourbaix.no-energy', { text: `#${body.struct_id}`, functional });
      return {
        structId: found.structId,
        composition: parseFormula(found.formulaReduced),
        formationEnergyPerAtom: found.formationEnergyPerAtom,
      };
    }
    const typed = body.compound?.trim() ?? '';
    if (typed === '') return null;
    const composition = readCompound(typed);
    if (body.compound_energy !== undefined)
      return { structId: null, composition, formationEnergyPerAtom: body.compound_energy };
    const found = await phaseEntries.lowestOfFormula(functional, reducedFormula(composition));
    if (found === null) throw new AppError('pourbaix.no-energy', { text: typed.slice(0, 40), functional });
    return { structId: found.structId, composition, formationEnergyPerAtom: found.formationEnergyPerAtom };
  }

  async function referencesOf(functional: string, elements: readonly string[]): Promise<ReferenceEnergies> {
    const formulas = elements.flatMap((element) => referenceFormula(element) ?? []);
    const lowest = await phaseEntries.lowestOfFormulas(functional, formulas);
    return referenceEnergies(elements, (formula) => lowest.get(formula)?.formationEnergyPerAtom);
  }

  serveCall(app, drawPourbaix, async ({ body, caller }) => {
    const energies = body.energies ?? 'computed';
    const scale = await phaseEntries.scale(body.functional);
    const compound = await placedSolid(body, scale.functional);
    // The energy of the compound is on the scale of computed energies, which cannot be combined with measured
    // energies.
    if (compound !== null && energies === 'measured') throw new AppError('pourbaix.measured-compound');
    const metals = Object.keys(compound?.composition ?? {}).filter(isDissolvable);
    const elements = [...new Set([...readElements(body.elements ?? '').filter(isDissolvable), ...metals])];
    if (elements.length === 0) throw new AppError('pourbaix.no-elements');
    if (elements.length > MAX_POURBAIX_ELEMENTS)
      throw new AppError('pourbaix.too-many-elements', {
        count: elements.length,
        limit: MAX_POURBAIX_ELEMENTS,
        elements: elements.join(', '),
      });
    const isCompoundRatio = metals.length === elements.length;
    const ratio = readAmounts(elements, body.ratio, (element) =>
      isCompoundRatio ? (compound?.composition[element] ?? 1) : 1,
    );
    const concentrations = readAmounts(elements, body.concentrations, () => DEFAULT_CONCENTRATION);
    const { default: usual } = POURBAIX_POTENTIALS;
    const potential = readPotentials(body.potential_min ?? usual.min, body.potential_max ?? usual.max);
    for (const { formula } of body.ions ?? [])
      if (!elements.some((element) => element in readIon(formula)))
        throw new AppError('pourbaix.foreign-ion', {
          text: formula.slice(0, 40),
          elements: elements.join(', '),
        });
    const isComputed = energies === 'computed';
    return handle.run(
      'drawDiagram',
      {
        elements,
        ratio,
        concentrations: Object.fromEntries(elements.map((element, e) => [element, concentrations[e] ?? 1])),
        energies,
        potential,
        phases: isComputed ? await phaseEntries.phases(scale.functional, [...elements, 'O', 'H']) : [],
        references: isComputed ? await referencesOf(scale.functional, elements) : {},
        ownIons: body.ions ?? [],
        compound,
        scale,
      },
      caller,
    );
  });
}
