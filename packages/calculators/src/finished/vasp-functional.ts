/** Which functional settings of VASP mean (https://www.vasp.at/wiki/index.php/GGA, METAGGA, LHFCALC). */
interface VaspSettings {
  readonly gga: string;
  readonly metagga: string;
  readonly isHybrid: boolean;
  /** 1/Å */
  readonly screening: number;
  /** TITEL of the data sets. */
  readonly titles: readonly string[];
}

const GGA: Readonly<Record<string, string>> = {
  PE: 'PBE',
  PS: 'PBEsol',
  CA: 'LDA',
  '91': 'PW91',
  RP: 'RPBE',
};

export function vaspFunctional({ gga, metagga, isHybrid, screening, titles }: VaspSettings): string {
  if (/^R2SCAN/i.test(metagga)) return 'r2SCAN';
  if (/^R?SCAN/i.test(metagga)) return 'SCAN';
  if (isHybrid) return screening > 0 ? 'HSE' : 'PBE0';
  // Without GGA that of the data sets counts.
  const ofData = titles.length > 0 && titles.every((title) => title.includes('PBE')) ? 'PBE' : 'LDA';
  return GGA[gga.toUpperCase().slice(0, 2)] ?? ofData;
}
