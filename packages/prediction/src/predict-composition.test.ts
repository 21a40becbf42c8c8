import { compositionOf, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { forward } from './forward.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { predict } from './predict.ts';
import { compositionGraph, predictComposition } from './predict-composition.ts';
import { probabilityWithin } from './probability.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';

const model = openModelInNode();
const ask = (formula: string) => predictComposition(model, parseFormula(formula));

describe('a formula without a structure', () => {
  it('is told what the training code tells it', () => {
    for (const { row, saidOfFormula } of agreement) {
      const graph = compositionGraph(compositionOf(structureOf(row)), model.manifest.composition.neighbours);
      model.composition.members.forEach((member, m) => {
        const { energy, heads } = forward(member, graph);
        [energy, ...heads].forEach((value, k) =>
          expect(Math.abs(value - saidOfFormula[m][k])).toBeLessThan(1e-8),
        );
      });
    }
  });

  it('does not depend on how it is written', () => {
    const [plain, other] = [ask('LiFePO4'), ask('O8P2Fe2Li2')];
    expect(other.formationEnergyPerAtom.value).toBeCloseTo(plain.formationEnergyPerAtom.value, 9);
    expect(other.formationEnergyPerAtom.high).toBeCloseTo(plain.formationEnergyPerAtom.high, 9);
    expect(other.measuredBandGap.value).toBeCloseTo(plain.measuredBandGap.value, 9);
  });

  it('changes little where the composition does', () => {
    const energies = [0, 0.01, 0.02].map((x) => ask(`Mg${1 - x}O`).formationEnergyPerAtom.value);
    expect(Math.abs(energies[2] - 2 * energies[1] + energies[0])).toBeLessThan(0.01);
  });

  it('is told whether a gap is measured: MgO, Si, GaAs and NaCl have one, Cu and Fe3Al none', () => {
    const withGap = ['MgO', 'Si', 'GaAs', 'NaCl', 'Cu', 'Fe3Al'].filter(
      (formula) => ask(formula).measuredInsulatorProbability > 0.5,
    );
    expect(withGap).toEqual(['MgO', 'Si', 'GaAs', 'NaCl']);
  });

  it('has a wider interval than its crystal, and chances of its own', () => {
    let wider = 0;
    for (const { row } of agreement) {
      const structure = structureOf(row);
      const [crystal, formula] = [
        predict(model, structure),
        predictComposition(model, compositionOf(structure)),
      ];
      if (formula.expectedError > crystal.expectedError) wider++;
    }
    expect(wider).toBeGreaterThanOrEqual(agreement.length - 1);
    const prediction = ask('CaTiO3');
    expect(probabilityWithin(model, prediction, 0, 0.05)).toBeGreaterThan(
      probabilityWithin(model, prediction, 0.2, 0.05),
    );
  });

  it('is refused for an element that is hardly known', () => {
    expect(() => ask('FmO2')).toThrowError(/Fm is in 0 crystals/);
  });
});
