/** A finished run of a first-principles program → draft. Its energy names its functional only: the scale is the operator's to name. */
import { CalculatorError, readFinishedRun } from '@unitcell/calculators';
import { atomCount, compositionOf } from '@unitcell/crystal';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import { RefusedUnit } from './refused-unit.ts';
import { unnamedScaleOf } from './stated-origin.ts';

/** @throws RefusedUnit when the run did not end well, was cut off, or lacks what a material needs */
export function draftFromRun(label: string, text: string): MaterialDraft {
  try {
    const run = readFinishedRun(label, text);
    const { structure, hubbards, functional } = run;
    return {
      structId: null,
      structure,
      energies: [
        {
          functional: unnamedScaleOf(functional),
          energyPerAtom: run.energy / atomCount(compositionOf(structure)),
          formationEnergyPerAtom: null,
          source: { source: `computed, ${run.program}`, kind: 'calculated' },
        },
      ],
      given: {
        ...NOTHING_GIVEN,
        bandGap: run.bandGap,
        fermiEnergy: run.fermiEnergy,
        totalMagnetization: run.magnetization,
        isHubbard: Object.keys(hubbards).length > 0,
        sourceName: 'run',
        sourceId: label,
      },
      provenance: {
        engine_version: run.program,
        ...(functional === null ? {} : { functional }),
        ...(Object.keys(hubbards).length > 0 ? { hubbards } : {}),
        ...run.settings,
      },
      properties: NO_PROPERTIES,
    };
  } catch (error) {
    if (error instanceof CalculatorError) throw new RefusedUnit(error.message);
    throw error;
  }
}
