/**
 * Names of functionals by the settings of VASP, ABINIT and Quantum ESPRESSO. A functional is one word, with its correction
 * for dispersion (PBE-D3), so that an energy scale can name it. Settings without a name here are given as they are.
 */

/** How outputs write that a tag of the functional is not set. */
const UNSET = /^(?:--|none|f)?$/i;

/** Functionals for the values of `ixc`: those of ABINIT, and pairs of functionals of LibXC. */
const ABINIT_FUNCTIONALS: Readonly<Record<string, string>> = {
  '1': 'LDA',
  '2': 'LDA',
  '7': 'LDA',
  '11': 'PBE',
  '14': 'revPBE',
  '15': 'RPBE',
  '-101130': 'PBE',
  '-116133': 'PBEsol',
  '-263267': 'SCAN',
  '-497498': 'r2SCAN',
};

const ABINIT_DISPERSION: Readonly<Record<string, string>> = { '5': 'D2', '6': 'D3', '7': 'D3' };

export const abinitFunctional = (ixc: number, vdw: number): string =>
  `${ABINIT_FUNCTIONALS[String(ixc)] ?? `ixc=${ixc}`}${vdw === 0 ? '' : `-${ABINIT_DISPERSION[String(vdw)] ?? `vdw_xc=${vdw}`}`}`;

const ESPRESSO_FUNCTIONALS: Readonly<Record<string, string>> = {
  PBESOL: 'PBEsol',
  'SLA PW PBX PBC': 'PBE',
  'SLA PW PBE PBE': 'PBE',
  'SLA PZ NOGX NOGC': 'LDA',
  PZ: 'LDA',
  HSE: 'HSE',
  R2SCAN: 'r2SCAN',
  REVPBE: 'revPBE',
};

export function espressoFunctional(name: string, dispersion: string): string {
  const word = ESPRESSO_FUNCTIONALS[name.toUpperCase()] ?? name.replaceAll(/\s+/g, '+');
  const correction = dispersion
    .trim()
    .replace(/^grimme-/i, '')
    .toUpperCase();
  return UNSET.test(correction) ? word : `${word}-${correction}`;
}

/** Settings of VASP that select the functional (https://www.vasp.at/wiki/index.php/GGA, METAGGA, LHFCALC). */
interface VaspSettings {
  readonly gga: string;
  readonly metagga: string;
  readonly isHybrid: boolean;
  /** 1/Å */
  readonly screening: number;
  /** Whether LUSE_VDW adds nonlocal correlation. */
  readonly isNonlocal: boolean;
  readonly ivdw: string;
  /** TITEL of the data sets. */
  readonly titles: readonly string[];
}

const GGA: Readonly<Record<string, string>> = {
  PE: 'PBE',
  PS: 'PBEsol',
  CA: 'LDA',
  PZ: 'LDA',
  '91': 'PW91',
  RP: 'RPBE',
  RE: 'revPBE',
  AM: 'AM05',
  OR: 'optPBE',
  BO: 'optB88',
  MK: 'optB86b',
  ML: 'rPW86',
  B3: 'B3LYP',
  B5: 'B3LYP',
};

/** Corrections for dispersion by IVDW. */
const DISPERSION: Readonly<Record<string, string>> = {
  '1': 'D2',
  '10': 'D2',
  '11': 'D3',
  '12': 'D3',
  '13': 'D4',
};

export function vaspFunctional({
  gga,
  metagga,
  isHybrid,
  screening,
  isNonlocal,
  ivdw,
  titles,
}: VaspSettings): string {
  const dispersion = UNSET.test(ivdw) || ivdw === '0' ? '' : `-${DISPERSION[ivdw] ?? `IVDW=${ivdw}`}`;
  const named = UNSET.test(gga) ? null : (GGA[gga.toUpperCase().slice(0, 2)] ?? `GGA=${gga}`);
  const base = (): string => {
    if (/^R2SCAN/i.test(metagga)) return 'r2SCAN';
    if (/^R?SCAN/i.test(metagga)) return 'SCAN';
    if (!UNSET.test(metagga)) return metagga;
    if (isHybrid && named !== 'B3LYP') return screening > 0 ? 'HSE' : 'PBE0';
    // If GGA is absent, the functional of the data sets is used.
    const ofData = titles.length > 0 && titles.every((title) => title.includes('PBE')) ? 'PBE' : 'LDA';
    return named ?? ofData;
  };
  return `${base()}${isNonlocal ? 'vdW' : ''}${dispersion}`;
}
