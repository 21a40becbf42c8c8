/**
 * Writes packages/phase-equilibria/src/data: measured thermochemistry as one line per substance, from the CSV files of
 * `../shared/datasets/thermo` (NIST-JANAF) and `../shared/datasets/expt-thermo` (FREED). Their READMEs name the origin.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import { sharedPath } from '@unitcell/tools/shared-data';
import { parse } from 'csv-parse/sync';
import { writeOrCheck } from './write-or-check.ts';

/** Gases that a reservoir can hold; browsers load only these. */
const RESERVOIR_GASES = 'O2 H2 N2 F2 Cl2 Br2 S2 H2O CO CO2 NH3 SO2 CH4 HCl HF'.split(' ');
const MAX_TEMPERATURE = 3000;

/**
 * Condensed compounds that the JANAF part of the data set lacks, spelled as in FREED. FREED names no phases, so gases
 * are omitted here.
 */
const FREED_COMPOUNDS = `
Ag2O Bi2O3 CdO Ce2O3 CeO2 Cs2O Er2O3 Ga2O3 Gd2O3 GeO2 HfO2 In2O3 IrO2 La2O3 Mn2O3 Mn3O4 MnO MnO2 Nd2O3 NiO PdO Pr2O3
RuO2 Sb2O3 Sc2O3 Sm2O3 SnO SnO2 TeO2 ThO2 Ti3O5 Ti4O7 Tl2O3 UO2 VO2 Y2O3 ZnO Yb2O3
Ag2S Al2S3 BaS BeS Bi2S3 CdS Ce2S3 Co3S4 CoS2 Cr2S3 Cu2S CuS GeS HgS In2S3 K2S La2S3 MnS MoS2 Na2S Ni3S2 NiS2 PbS PtS ReS2
Sb2S3 SiS2 SnS SrS TiS2 WS2 ZnS
BN Ba3N2 Be3N2 Ca3N2 CeN Cr2N CrN Fe4N GaN HfN InN LaN Mn4N Mo2N NbN ScN Sr3N2 TaN ThN UN VN YN Zn3N2 ZrN
AgCl BaCl2 CdCl2 CeCl3 CoCl2 CrCl2 CrCl3 CsCl CuCl CuCl2 FeCl2 FeCl3 KCl LaCl3 MgCl2 MnCl2 NdCl3 NiCl2 PbCl2 RbCl SnCl2 SrCl2
TiCl2 TiCl3 VCl2 VCl3 YCl3 ZnCl2
Ag2CO3 BaCO3 CaCO3 CdCO3 Cs2CO3 FeCO3 MnCO3 PbCO3 Rb2CO3 SrCO3 ZnCO3 CaMg(CO3)2
Al4C3 B4C CaC2 Cr23C6 Cr3C2 Cr7C3 Fe3C HfC Mn3C Mo2C NbC TaC V2C WC ZrC
Al2SiO5 Al2Fe3(SiO4)3 Al6Si2O13 AlPO4 BaAl2O4 BaSiO3 BaTiO3 BaZrO3 BeAl2O4 Ca(FeO2)2 Ca2Fe2O5 Ca2SiO4 Ca3Al2O6 Ca3(PO4)2
CaAl2O4 CaAl2(SiO4)2 CaMg(SiO3)2 CaMoO4 CaSiO3 CaTiO3 CaWO4 CaZrO3 Co2SiO4 Cr2FeO4 Fe2CoO4 Fe2NiO4 Fe2SiO4 FeWO4 KAlO2
KAlSiO4 LaFeO3 Li2SiO3 Li2TiO3 LiAlO2 LiFeO2 Mg(FeO2)2 Mg2TiO4 MgCr2O4 MgTiO3 MgWO4 Mn2SiO4 MnSiO3 Na2SiO3 Na2TiO3 NaAlO2
NaFeO2 Pb3SO6 Si(NiO2)2 SrSiO3 SrTiO3 SrZrO3 TiFeO3 TiMnO3 TiNiO3 TiZn2O4 Y3Fe5O12 YFeO3 Zn(FeO2)2 Zn2SiO4 ZnWO4 ZrSiO4
Ag2SO4 Al2(SO4)3 BaSO4 CaSO4 CoSO4 Fe2(SO4)3 K2SO4 Li2SO4 MnSO4 NiSO4 PbSO4 ZnSO4 Na2CrO4 Na2MoO4 Na2WO4
Al(HO)3 Ba(HO)2 Cu(HO)2 KHO Ni(HO)2 Sr(HO)2 NaHCO3
`
  .trim()
  .split(/\s+/);

type Row = Readonly<Record<string, string>>;

const readCsv = (name: string): readonly Row[] =>
  parse(readFileSync(sharedPath('datasets', 'thermo', name)), { columns: true });

/** `3.00` is 3. */
const short = (value: string | undefined = ''): string => (value === '' ? '' : String(Number(value)));

function tablesOf(file: string): ReadonlyMap<string, readonly Row[]> {
  const tables = new Map<string, Row[]>();
  for (const row of readCsv(file)) {
    const key = `${row.species}|${row.phase}`;
    tables.set(key, [...(tables.get(key) ?? []), row]);
  }
  return tables;
}

/** `933.45 melting`, from remarks such as `CRYSTAL <--> LIQUID`. Maxima of the heat capacity have no latent heat. */
function transitionsOf(species: string, phase: string, remarks: readonly Row[]): string {
  const own = remarks.filter((row) => row.species === species && row.phase === phase);
  const named = own.flatMap(({ T_K, text = '' }) => {
    const [, from = '', into = ''] = /(\S+) <--> (\S+)/.exec(text) ?? [];
    if (into === '' || Number(T_K) > MAX_TEMPERATURE || Number(T_K) < 200) return [];
    const kind =
      into === 'LIQUID' ? 'melting' : into === 'IDEAL' || from === 'LIQUID' ? 'boiling' : 'transition';
    return [`${short(T_K)} ${kind}`];
  });
  return [...new Set(named)].join(';');
}

function janafLine(key: string, rows: readonly Row[], remarks: readonly Row[]): string {
  const [species = '', phase = ''] = key.split('|');
  const composition = parseFormula(species);
  const elements = Object.keys(composition);
  const isElement = phase === 'ref';
  const formula = phase === 'g' || isElement || elements.length === 1 ? species : reducedFormula(composition);
  const at = (temperature: number) => rows.find((row) => Number(row.T_K) === temperature);
  const [standard, zero] = [at(298.15), at(0)];
  if (standard === undefined) throw new Error(`${key} has no row at 298.15 K`);
  const nodes = rows
    .filter((row) => row.S_J_mol_K !== '' && row.minus_G_minus_H298_over_T_J_mol_K !== '')
    .filter((row) => Number(row.T_K) >= 100 && Number(row.T_K) <= MAX_TEMPERATURE)
    .map((row) => [row.T_K, row.S_J_mol_K, row.minus_G_minus_H298_over_T_J_mol_K].map(short).join(' '));
  const fields = [
    formula,
    phase,
    standard.janaf_table ?? '',
    short(standard.dfH_kJ_mol),
    short(zero?.dfH_kJ_mol),
    short(zero?.H_minus_H298_kJ_mol),
    transitionsOf(species, phase, remarks),
    nodes.join(';'),
  ];
  return fields.join('|');
}

const remarks = readCsv('janaf-transitions.csv');
const gases = tablesOf('janaf-gases.csv');
const elements = tablesOf('janaf-elements.csv');
const solids = tablesOf('janaf-solids.csv');
const isReservoir = (key: string): boolean => RESERVOIR_GASES.includes(key.split('|')[0] ?? '');
/** A table of crystal and liquid replaces that of the crystal alone. */
const isBest = (key: string): boolean => !solids.has(key.replace(/\|cr$/, '|cr,l')) || key.endsWith('cr,l');
/** False for deuterium, electrons, noble gases, and O2, H2, N2, F2 and Cl2. */
const isOrdinary = (key: string): boolean =>
  !/^(D2|e-|Rn|He|Ne|Ar|Kr|Xe)\|/.test(key) && !/^(O2|H2|N2|F2|Cl2)\|/.test(key);

const linesOf = (tables: ReadonlyMap<string, readonly Row[]>, isWanted: (key: string) => boolean): string[] =>
  [...tables].filter(([key]) => isWanted(key)).map(([key, rows]) => janafLine(key, rows, remarks));

/** eV per formula unit from 300 K in steps of 100 K, up to where the record changes to another phase with a jump. */
function freedLine(formula: string, values: Readonly<Record<string, number>>): string {
  const energies: number[] = [];
  for (let t = 300; values[t] !== undefined && t <= MAX_TEMPERATURE; t += 100) energies.push(values[t]);
  const step = (index: number): number =>
    (energies[index + 1] ?? Number.NaN) - (energies[index] ?? Number.NaN);
  const JUMP = 0.1;
  let end = energies.length;
  for (let index = 1; index + 1 < energies.length; index++) {
    const [before, after] = [step(index) - step(index - 1), step(index) - step(index + 1)];
    const isJump = Number.isNaN(after)
      ? Math.abs(before) > 3 * JUMP
      : before * after > 0 && Math.min(Math.abs(before), Math.abs(after)) > JUMP;
    if (isJump) {
      end = index + 1;
      break;
    }
  }
  if (end < energies.length)
    console.log(`   ${formula}: ${end} of ${energies.length} values are of one phase`);
  return [
    reducedFormula(parseFormula(formula)),
    energies
      .slice(0, end)
      .map((energy) => short(energy.toFixed(4)))
      .join(' '),
  ].join('|');
}

const freed: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  gunzipSync(
    readFileSync(sharedPath('datasets', 'expt-thermo', 'gibbs_formation_freed_eV_fu_vs_T.json.gz')),
  ).toString(),
);
const freedLines = FREED_COMPOUNDS.flatMap((formula) => {
  const values = freed[formula];
  if (values?.[300] === undefined) console.log(`   FREED has no ${formula} at 300 K`);
  return values?.[300] === undefined ? [] : [freedLine(formula, values)];
});

const JANAF_HEADER = `NIST-JANAF Thermochemical Tables, 4th ed. (M. W. Chase, J. Phys. Chem. Ref. Data, Monograph 9, 1998), 1 bar, one substance per line:
 * formula | phase | table | ΔfH(298.15 K), kJ/mol | ΔfH(0 K), kJ/mol | H(0 K) − H(298.15 K), kJ/mol | transitions, K |
 * T, K; S, J/(mol K); −[G − H(298.15 K)]/T, J/(mol K), separated by spaces; a transition has two entries at one temperature.
 * Phases: g gas, ref reference state of the element, cr crystal, cr,l crystal and liquid.
 *
 * Generated by workshop/generators/thermochemistry.ts. Do not edit.`;

const write = (file: string, header: string, name: string, lines: readonly string[]): void =>
  writeOrCheck(
    new URL(`../../packages/phase-equilibria/src/data/${file}`, import.meta.url),
    `/**\n * ${header}\n */\nexport const ${name} = \`\n${lines.join('\n')}\n\`;\n`,
  );

write('janaf-gases.ts', JANAF_HEADER, 'JANAF_RESERVOIR_GASES', linesOf(gases, isReservoir));
write('janaf-tables.ts', JANAF_HEADER, 'JANAF_TABLES', [
  ...linesOf(elements, isOrdinary),
  ...linesOf(gases, (key) => !isReservoir(key)),
  ...linesOf(solids, isBest),
]);
write(
  'freed-tables.ts',
  `FREED, the database of A. E. Morris on the tables of the U.S. Bureau of Mines (L. B. Pankratz and others), by way of
 * materialsproject/reaction-network (modified BSD licence): formula | Gibbs energy of formation in eV per formula unit at
 * 300 K, 400 K, … at 1 bar, from the elements in their reference states.
 *
 * Generated by workshop/generators/thermochemistry.ts. Do not edit.`,
  'FREED_TABLES',
  freedLines,
);
