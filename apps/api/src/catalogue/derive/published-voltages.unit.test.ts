/**
 * Electrodes derived from public structures and energies, against published averages of PBE+U: the table of
 * docs/methods/electrodes.md. Zhou et al., Phys. Rev. B 70, 235121 (2004): LiCoO2, LiMn2O4, LiFePO4; Xiao et al., Chem.
 * Mater. 24, 4242 (2012): Li2MnO3; Yin et al., J. Am. Chem. Soc. 125, 10402 (2003): Li3V2(PO4)3; Ong et al., Energy
 * Environ. Sci. 4, 3680 (2011): NaFePO4; Aurbach et al., Nature 407, 724 (2000): Mg2Mo6S8.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromPymatgenDict, parseFormula, reducedFormula, toCompactCell } from '@unitcell/crystal';
import { hasSharedData, sharedJsonLines, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { type HullEntry, hullEntryLine } from '../../testing/hull-entries.ts';
import { type MpStructure, mpStructureLine } from '../../testing/mp-structures.ts';
import { type DerivedElectrode, deriveElectrodes, type HostMaterial } from './derive-electrodes.ts';

interface Entry {
  readonly id: string;
  readonly formula: string;
  readonly energy: number;
  readonly aboveHull: number;
  readonly line: () => object;
}

type MpRow = MpStructure & { readonly formula: string; readonly eh?: number };

/** The rows with these formulas. The other rows of the 155,000 are not parsed. */
function* materialsProject2018(formulas: RegExp): Generator<Entry> {
  for (const part of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const packed = readFileSync(sharedPath('datasets', 'mp-structures', `mp-0${part}.jsonl.gz`));
    for (const text of gunzipSync(packed)
      .toString('utf8')
      .split('\n')
      .filter((line) => formulas.test(line))) {
      const row = JSON.parse(text) as MpRow;
      const { id, formula, ef, eh } = row;
      if (ef !== undefined && eh !== undefined)
        yield { id, formula, energy: ef, aboveHull: eh, line: () => mpStructureLine(row) };
    }
  }
}

function* hullEntries(name: string): Generator<Entry> {
  for (const row of sharedJsonLines<HullEntry & { formula: string; e_form: number; e_hull: number }>(
    'datasets',
    'hull-entries',
    `${name}.jsonl.gz`,
  ))
    yield {
      id: row.id,
      formula: row.formula,
      energy: row.e_form,
      aboveHull: row.e_hull,
      line: () => hullEntryLine(row, name),
    };
}

/** The electrodes of hosts (written `Li CoO2`), by host. The id of a state is the index of its entry. */
function electrodesOf(entries: Iterable<Entry>, hosts: readonly string[]) {
  const materials = new Map<string, HostMaterial[]>(hosts.map((host) => [host, []]));
  const named: string[] = [];
  for (const { id, formula, energy, aboveHull, line } of entries) {
    if (aboveHull > 0.2) continue;
    const composition = parseFormula(formula);
    for (const ion of ['Li', 'Na', 'Mg']) {
      const { [ion]: _ions, ...framework } = composition;
      const host = Object.keys(framework).length > 0 && materials.get(`${ion} ${reducedFormula(framework)}`);
      if (!host) continue;
      const { structure } = line() as { structure: unknown };
      const cell = toCompactCell(fromPymatgenDict(structure));
      host.push({
        structId: named.push(id) - 1,
        formationEnergyPerAtom: energy,
        energyAboveHull: aboveHull,
        cell,
      });
    }
  }
  return (host: string, id: string): DerivedElectrode => {
    const states = (materials.get(host) ?? []).toSorted((a, b) => a.energyAboveHull - b.energyAboveHull);
    const [ion = ''] = host.split(' ');
    const found = deriveElectrodes([{ ion, system: '', materials: states.slice(0, 80) }]).find((electrode) =>
      electrode.states.some((state) => named[state.structId] === id),
    );
    if (!found) throw new Error(`${id} is no state of an electrode of ${host}`);
    return found;
  };
}

/** Average voltage between two ion contents, each at the start or end of a plateau. */
function averageVoltage({ steps }: DerivedElectrode, from: number, to: number): number {
  const between = steps.filter((step) => step.from > from - 1e-4 && step.to < to + 1e-4);
  const span = between.reduce((sum, step) => sum + step.to - step.from, 0);
  expect(span).toBeCloseTo(to - from, 3);
  return between.reduce((sum, step) => sum + step.voltage * (step.to - step.from), 0) / span;
}

const hundredths = (volts: number): number => Math.round(100 * volts) / 100;

describe.skipIf(!hasSharedData)('voltages of published electrodes', () => {
  it.each([
    ['Co-Li-Ni-O', 'Li CoO2', 'mp-22526-GGA+U', 0, 1, 3.85, -0.06],
    ['Fe-Li-O-P', 'Li FePO4', 'mp-19017', 0, 1, 3.47, 0.03],
    ['Fe-Na-O-P', 'Na FePO4', 'mp-746030-GGA+U', 0, 1, 3.08, -0.08],
  ] as const)('complete entries of %s give the average voltage of %s', (...row) => {
    const [name, host, id, from, to, published, difference] = row;
    const electrode = electrodesOf(hullEntries(name), [host])(host, id);
    expect(hundredths(averageVoltage(electrode, from, to) - published)).toBe(difference);
  });

  it('voltages from Materials Project energies of 2018 differ from the published ones by known amounts', () => {
    const table = [
      ['Li MnO3', 'mp-18988', 1.625, 2, 4.6, 0.02],
      ['Li MnO2', 'mp-1097058', 1 / 28, 0.5, 4.04, -0.21],
      ['Li V2P3O12', 'mp-643154', 1, 3, 3.9, -0.5],
      ['Mg Mo3S4', 'mp-677217', 0, 1, 1.1, -0.28],
    ] as const;
    const electrodeOf = electrodesOf(
      materialsProject2018(/"formula":"(?:(?:Li\d*)?(?:Mn\d*O\d*|O\d*P\d*V\d*)|(?:Mg\d*)?Mo\d*S\d*)"/),
      table.map(([host]) => host),
    );
    for (const [host, id, from, to, published, difference] of table)
      expect([host, hundredths(averageVoltage(electrodeOf(host, id), from, to) - published)]).toEqual([
        host,
        difference,
      ]);
  });
});
