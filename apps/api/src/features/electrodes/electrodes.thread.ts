/** Worker thread: the conversion of a material with the metal of an ion. */
import type { ConversionStep } from '@unitcell/contract/electrodes';
import {
  buildHull,
  conversionSteps,
  electrochemicalWindow,
  equationText,
  formulaUnit,
} from '@unitcell/phase-equilibria';
import { asFigures, toEntries, toEntry } from '../../domain/thermodynamics/phase-hull.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';

export interface ConversionRequest {
  readonly target: StoredPhase;
  readonly ion: string;
  /** All elements of target and ion. */
  readonly elements: readonly string[];
  readonly stablePhases: readonly StoredPhase[];
}

export function conversionOfMaterial({ target, ion, elements, stablePhases }: ConversionRequest) {
  const hull = buildHull(toEntries(stablePhases, elements), { elements });
  const entry = toEntry(target);
  const window = electrochemicalWindow(hull, entry, ion);
  const { units } = formulaUnit(entry.composition);
  const steps = conversionSteps(window).map(
    ({ voltage, from, to, capacity, products, reaction }): ConversionStep => ({
      voltage,
      from: from / units,
      to: to / units,
      capacity,
      reaction: equationText(reaction),
      phases: products.map(({ formula, entry: phase, moles }) => ({
        formula,
        struct_id: phase.structId,
        moles: moles / units,
      })),
    }),
  );
  const last = steps.at(-1);
  const energy = steps.reduce((sum, step) => sum + (step.to - step.from) * step.voltage, 0);
  const average = last ? energy / last.to : null;
  const capacity = last?.capacity ?? 0;
  return asFigures({
    struct_id: target.structId,
    formula: window.formula,
    ion,
    above_hull: window.energyAboveHull,
    average_voltage: average,
    capacity,
    specific_energy: capacity * (average ?? 0),
    steps,
  });
}
