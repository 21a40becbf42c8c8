import { compositionOf, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { forward } from './testing/forward.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { compositionGraph, predict, predictComposition, probabilityWithin } from './predict.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';

const model = openModelInNode();
const ask = (formula: string) => predictComposition(model, parseFormula(formula));

describe('predictComposition', () => {
  it('gives the same values as the training code', () => {
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

  it('does not depend on the notation of the formula', () => {
    const [plain, other] = [ask('GaAs'), ask('As3Ga3')];
    expect(other.formationEnergyPerAtom.value).toBeCloseTo(plain.formationEnergyPerAtom.value, 5);
    expect(other.formationEnergyPerAtom.high).toBeCloseTo(plain.formationEnergyPerAtom.high, 5);
    expect(other.measuredInsulatorProbability!).toBeCloseTo(plain.measuredInsulatorProbability!, 5);
  });

  it('changes little if the composition changes little', () => {
    const energies = [0, 0.01, 0.02].map((x) => ask(`Mg${1 - x}O`).formationEnergyPerAtom.value);
    expect(Math.abs(energies[2] - 2 * energies[1] + energies[0])).toBeLessThan(0.01);
  });

  it('predicts whether a measurement finds a gap: yes for Si and GaAs, no for Cu and Fe3Al, nothing for oxides and halides', () => {
    const finds = ['Si', 'GaAs', 'Cu', 'Fe3Al', 'LiFePO4', 'NaCl'].map((formula) => {
      const probability = ask(formula).measuredInsulatorProbability;
      return probability === null ? null : probability > 0.5;
    });
    expect(finds).toEqual([true, true, false, false, null, null]);
  });

  it('has a wider interval than the prediction for the crystal, and different probabilities', () => {
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

  it('judges from the composition alone that common compounds are within the training domain', () => {
    const strange = ['NaCl', 'TiO2', 'ZnS', 'BaTiO3', 'Fe2O3'].filter(
      (formula) => ask(formula).domain.familiarity === 'outside',
    );
    expect(strange).toEqual([]);
  });

  it('predicts a measured gap whose interval includes the PBE gap, because PBE underestimates gaps', () => {
    let corrected = 0;
    for (const formula of [...agreement.map(({ row }) => row.formula), 'GaP', 'ZnS', 'CdTe', 'SiC', 'CeO2']) {
      const { measuredBandGap, bandGap, measuredInsulatorProbability } = ask(formula);
      if (!measuredBandGap) continue;
      expect(measuredBandGap.low).toBeLessThanOrEqual(measuredBandGap.value);
      expect(measuredBandGap.low).toBeGreaterThanOrEqual(0);
      expect(measuredInsulatorProbability).toBeGreaterThan(0);
      expect(measuredInsulatorProbability).toBeLessThan(1);
      if (measuredBandGap.value >= bandGap.value) continue;
      corrected++;
      expect(measuredBandGap.high).toBeGreaterThanOrEqual(bandGap.high);
    }
    expect(corrected).toBeGreaterThan(0);
  });

  it('predicts a measured gap for f elements, but not for oxides and halides (invalid intervals)', () => {
    const withGap = ['MgO', 'SiO2', 'LiFePO4', 'NaCl', 'CsPbI3', 'GaAs', 'ZnS', 'Cu', 'CeO2'].filter(
      (formula) => ask(formula).measuredBandGap !== null,
    );
    expect(withGap).toEqual(['GaAs', 'ZnS', 'Cu', 'CeO2']);
  });

  it('compositionGraph draws twelve neighbours from the composition, whatever its amounts', () => {
    const graph = compositionGraph(parseFormula('LiFePO4'), 12);
    expect([...graph.atomicNumbers].sort((a, b) => a - b)).toEqual([3, 8, 15, 26]);
    expect([...graph.shares].reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
    for (let node = 0; node < 4; node++) {
      const own = Array.from({ length: 4 }, (_, k) => graph.rowStarts[node] + k);
      expect(graph.rowStarts[node + 1]).toBe(4 * (node + 1));
      for (const edge of own)
        expect(graph.weights[edge]).toBeCloseTo(12 * graph.shares[graph.sources[edge]], 12);
      expect(own.map((edge) => graph.sources[edge])).toEqual([0, 1, 2, 3]);
    }
    expect(graph.distances.every((distance) => distance === 0)).toBe(true);
  });

  it('refuses an element that is too rare in the training data', () => {
    expect(() => ask('FmO2')).toThrowError(/Fm is in 0 crystals/);
  });
});
