/** Energies, enthalpies, gaps and tensors of the seed against the sets that list them by id or composition. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { elasticModuli } from '../../../../packages/tensors/src/index.ts';
import type { Compound } from '../compound.ts';
import { type CsvRecord, parseCsv } from '../csv.ts';
import type { Properties } from '../properties.ts';
import { compositionKey } from './read-facts.ts';
import { compareRows, type Truth } from './truth.ts';

const table = (folder: string, ...path: string[]): readonly CsvRecord[] => {
  const bytes = readFileSync(join(folder, ...path));
  return parseCsv((path.at(-1)!.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
};

const jsonLines = <Row>(folder: string, ...path: string[]): Row[] =>
  gunzipSync(readFileSync(join(folder, ...path)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** Some formulas of the tables are not chemical formulas (`C60(g)`); they are passed over. */
function keyOrNone(formula: string | undefined): string {
  try {
    return compositionKey(formula ?? '');
  } catch {
    return '';
  }
}

const within = (ours: number, theirs: readonly number[], tolerance: number): boolean =>
  theirs.some((value) => Math.abs(ours - value) <= tolerance);

const grouped = (rows: readonly CsvRecord[], key: (row: CsvRecord) => string, column: string) => {
  const groups = new Map<string, number[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), Number(row[column])]);
  return groups;
};

interface TensorRow {
  readonly id: string;
  readonly e_electronic?: readonly (readonly number[])[];
  readonly e_ij_C_m2?: readonly (readonly number[])[];
}

const trace = (tensor: readonly (readonly number[])[]): number =>
  tensor.reduce((sum, row, axis) => sum + row[axis], 0);

const largest = (tensor: readonly (readonly number[])[]): number => Math.max(...tensor.flat().map(Math.abs));

export function truthOfTables(
  folder: string,
  compounds: readonly Compound[],
  properties: ReadonlyMap<number, Properties>,
): readonly Truth[] {
  const byId = new Map(table(folder, 'mp2018-energies', 'by_mp_id.csv.gz').map((row) => [row['mp_id'], row]));
  const isCompound = ({ formula }: Compound): boolean => compositionKey(formula).includes(' ');
  const measured = grouped(
    table(folder, 'expt-thermo', 'formation_enthalpy_expt_eV_atom.csv'),
    (row) => keyOrNone(row['formula']),
    'dHf_eV_atom',
  );
  const gaps = grouped(
    table(folder, 'mp2018-energies', 'expt_gap.csv'),
    (row) => keyOrNone(row['formula']),
    'gap_expt_eV',
  );
  const moduli = grouped(
    table(folder, 'mp2018-energies', 'moduli_vrh_cells.csv.gz'),
    (row) => keyOrNone(row['cell']),
    'log10_K_VRH_GPa',
  );
  const dielectric = new Map(
    jsonLines<TensorRow>(folder, 'tensors', 'dielectric.jsonl.gz').map((row) => [row.id, row]),
  );
  const piezo = new Map(
    jsonLines<TensorRow>(folder, 'tensors', 'piezo.jsonl.gz').map((row) => [row.id, row]),
  );
  const name = ({ structId, formula }: Compound): string => `${structId} ${formula}`;
  const having = (test: (properties: Properties) => boolean): Compound[] =>
    compounds.filter(({ structId }) => test(properties.get(structId) ?? {}));
  return [
    compareRows(
      'formation energy, PBE (MP 2018)',
      'Materials Project 2018.6.1 by id, 10 meV/atom',
      compounds.filter((compound) => compound.formationEnergyPbe !== undefined && isCompound(compound)),
      (compound) => {
        const row = byId.get(compound.mpId);
        if (row === undefined || row['e_form_eV_atom'] === '') return undefined;
        const theirs = Number(row['e_form_eV_atom']);
        return Math.abs(compound.formationEnergyPbe! - theirs) <= 0.01
          ? ''
          : `${name(compound)}: ${compound.formationEnergyPbe} here, ${theirs} listed (${compound.formationEnergyPbeNote})`;
      },
    ),
    compareRows(
      'formation enthalpy, experiment-298K',
      'SGTE and IIT tables by composition, 30 meV/atom',
      compounds.filter((compound) => compound.formationEnthalpy298 !== undefined && isCompound(compound)),
      (compound) => {
        const theirs = measured.get(compositionKey(compound.formula));
        if (theirs === undefined) return undefined;
        return within(compound.formationEnthalpy298!, theirs, 0.03)
          ? ''
          : `${name(compound)}: ${compound.formationEnthalpy298} here, ${theirs.join(' or ')} tabulated`;
      },
    ),
    compareRows(
      'band gap, PBE',
      'Materials Project 2018.6.1 by id, 0.02 eV',
      compounds.filter(({ gapPbe }) => gapPbe !== undefined),
      (compound) => {
        const row = byId.get(compound.mpId);
        if (row === undefined || row['gap_pbe_eV'] === '') return undefined;
        return Math.abs(compound.gapPbe! - Number(row['gap_pbe_eV'])) <= 0.02
          ? ''
          : `${name(compound)}: ${compound.gapPbe} here, ${row['gap_pbe_eV']} listed`;
      },
    ),
    compareRows(
      'band gap, measured',
      'Zhuo et al. (2018) by composition, 0.3 eV',
      compounds.filter(({ gapExperiment }) => gapExperiment !== undefined),
      (compound) => {
        const theirs = gaps.get(compositionKey(compound.formula));
        if (theirs === undefined) return undefined;
        return within(compound.gapExperiment!, theirs, 0.3)
          ? ''
          : `${name(compound)}: ${compound.gapExperiment} here, ${theirs.join(' or ')} listed`;
      },
    ),
    compareRows(
      'elastic constants: bulk modulus (Hill)',
      'computed moduli (PBE) by composition, any polymorph, 25 %',
      having(({ elasticTensor }) => elasticTensor !== undefined),
      (compound) => {
        const theirs = moduli.get(compositionKey(compound.formula))?.map((log10) => 10 ** log10);
        if (theirs === undefined) return undefined;
        const bulk = elasticModuli(properties.get(compound.structId)!.elasticTensor!.value).bulk.hill;
        return within(bulk, theirs, 0.25 * bulk)
          ? ''
          : `${name(compound)}: ${bulk.toFixed(0)} GPa here, ${theirs.map((value) => value.toFixed(0)).join(' or ')} computed`;
      },
    ),
    compareRows(
      'dielectric tensor: electronic trace',
      'Petousis et al. (2017) by id, 1 %',
      having((found) => found.dielectric?.electronic !== undefined),
      (compound) => {
        const theirs = dielectric.get(compound.mpId)?.e_electronic;
        if (theirs === undefined) return undefined;
        const ours = properties.get(compound.structId)!.dielectric!.electronic!;
        return Math.abs(trace(ours) / trace(theirs) - 1) <= 0.01
          ? ''
          : `${name(compound)}: ${trace(ours).toFixed(2)} here, ${trace(theirs).toFixed(2)} there`;
      },
    ),
    compareRows(
      'piezoelectric tensor: largest element',
      'de Jong et al. (2015) by id, 2 %',
      having(({ piezoelectric }) => piezoelectric !== undefined),
      (compound) => {
        const tensor = piezo.get(compound.mpId)?.e_ij_C_m2;
        if (tensor === undefined) return undefined;
        const theirs = largest(tensor);
        const ours = largest(properties.get(compound.structId)!.piezoelectric!.value);
        return Math.abs(ours / theirs - 1) <= 0.02
          ? ''
          : `${name(compound)}: ${ours.toFixed(3)} here, ${theirs.toFixed(3)} C/m² there`;
      },
    ),
  ];
}
