/** Reactions at the interface of two materials: reactants, energy scale, open element. */
import { interfaceReceive, MAX_INTERFACE_ELEMENTS } from '@unitcell/contract/interface-reaction';
import { CHEMICAL_POTENTIAL_LIMITS } from '@unitcell/contract/phase-diagram/rules';
import { displayFormula, parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import { reactantOfId, readReactantFormula } from '../../domain/thermodynamics/reactants.ts';
import { readPhaseTemperature } from '../../domain/thermodynamics/open-gas.ts';
import type { OpenElement } from '../../domain/thermodynamics/phase-hull.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as interfaceReactionThread from './interface-reaction.thread.ts';
import type { ReactantChoice, ReactionsAtInterface } from './interface-reaction.thread.ts';

const CACHED_REACTIONS = 500;

/** @throws AppError interface.unknown-element, interface.bad-potential */
function readOpenElement(typed: string, chemicalPotential: number): OpenElement | null {
  const element = typed.trim();
  if (element === '') return null;
  if (!isElementSymbol(element))
    throw new AppError('interface.unknown-element', { text: element.slice(0, 20) });
  const { min, max } = CHEMICAL_POTENTIAL_LIMITS;
  if (!(chemicalPotential >= min && chemicalPotential <= max))
    throw new AppError('interface.bad-potential', { value: chemicalPotential, min, max });
  return { element, chemicalPotential };
}

export function interfaceReactionFeature(
  app: FastifyInstance,
  { phaseEntries: entries, completeness, scaleAccuracy, threads, catalogueCaches }: Services,
): void {
  const handle = threads.open<typeof interfaceReactionThread>(
    new URL('./interface-reaction.thread.ts', import.meta.url),
  );
  const reactions = catalogueCaches.create<ReactionsAtInterface>(CACHED_REACTIONS);

  async function material(text: string, functional: string): Promise<ReactantChoice> {
    const stored = await reactantOfId(entries, functional, text);
    const { structId, formulaReduced, spaceGroup, formationEnergyPerAtom } = stored;
    if (formationEnergyPerAtom === null)
      throw new AppError('interface.no-energy', { id: structId, functional });
    return { structId, formulaReduced, spaceGroup, formationEnergyPerAtom, isOfFormula: false };
  }

  /**
   * Reads a reactant. A number is a struct_id. A formula means its entry of lowest energy, or the hull at its
   * composition.
   */
  async function reactant(typed: string | number, functional: string): Promise<ReactantChoice> {
    const text = String(typed).trim();
    if (text === '') throw new AppError('interface.no-reactant');
    if (/^\d+$/.test(text)) return material(text, functional);
    const formulaReduced = readReactantFormula(text);
    const lowest = await entries.lowestOfFormula(functional, formulaReduced);
    return lowest ? { ...lowest, isOfFormula: true } : { formulaReduced, structId: null };
  }

  function elementsOf(choices: readonly ReactantChoice[], open: OpenElement | null): string[] {
    const elements = new Set(choices.flatMap(({ formulaReduced }) => elementsOfFormula(formulaReduced)));
    if (open !== null) elements.add(open.element);
    if (elements.size > MAX_INTERFACE_ELEMENTS)
      throw new AppError('phase.too-many-elements', { count: elements.size, limit: MAX_INTERFACE_ELEMENTS });
    return [...elements];
  }

  serveCall(app, interfaceReceive, async ({ body, t, caller }) => {
    const open = readOpenElement(body.open_element ?? '', body.chemical_potential ?? 0);
    const useHullEnergy = body.use_hull_energy ?? false;
    const temperature = readPhaseTemperature(body.temperature);
    const scale = await entries.scale(body.functional);
    const { functional } = scale;
    const first = await reactant(body.reactant1, functional);
    const second = await reactant(body.reactant2, functional);
    if (first.formulaReduced === second.formulaReduced)
      throw new AppError('interface.same-reactants', {
        formula: displayFormula(parseFormula(first.formulaReduced)),
      });
    // At a temperature, the lowest phase of a formula may be another phase than the one with this id.
    const keyOf = (choice: ReactantChoice): string | number =>
      choice.structId === null || (choice.isOfFormula && temperature !== undefined)
        ? choice.formulaReduced
        : choice.structId;
    const key = [functional, temperature ?? '', keyOf(first), keyOf(second)]
      .concat(open === null ? [] : [open.element, open.chemicalPotential])
      .concat(useHullEnergy ? ['hull'] : []);
    const elements = elementsOf([first, second], open);
    const found = await reactions.remember(key.join(' '), async () => {
      const request = {
        reactants: [first, second],
        elements,
        phases: await entries.phasesAt(functional, elements, temperature),
        open,
        useHullEnergy,
        ...(temperature === undefined
          ? {}
          : { at: { temperature, deviations: await scaleAccuracy.deviationsOf(functional) } }),
      } as const;
      return handle.run('reactAtInterface', request, caller);
    });
    const { formula } = found.reactants[0];
    // The energy of a reactant on the hull changes with the hull, so the energy gained by the mixture may change
    // either way.
    const haveOwnEnergies = !useHullEnergy && found.reactants.every(({ struct_id }) => struct_id !== null);
    return {
      ...done,
      ...found,
      atomic_title: t('interface.atomic-title', { formula }),
      molar_title: t('interface.molar-title', { formula }),
      open: open && { element: open.element, chemical_potential: open.chemicalPotential },
      completeness: await completeness.of(
        functional,
        elements,
        haveOwnEnergies ? { reaction_energy_total: 'upper' } : {},
      ),
      ...scale,
    };
  });
}
