/**
 * ABINIT input decks (ABINIT 9, PAW). Lengths are in Bohr, energies in Ha. Each step has one folder, which contains
 * every file named in its deck.
 *
 * X. Gonze et al., Comput. Phys. Commun. 248 (2020) 107042, doi:10.1016/j.cpc.2019.107042; variables as
 * documented at docs.abinit.org.
 */
import { BOHR_RADIUS_ANGSTROM, elementBySymbol, isElementSymbol } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import type { StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { PRESETS } from '../presets.ts';
import { bandCount, dataSetOf, type DeckStructure, deckStructure, meshOf, SMEARING_HA } from '../sampling.ts';

// Head of a PAW data set in GPAW's XML form, which ABINIT reads directly.

export interface DataSetHead {
  readonly element: string;
  /** Number of electrons outside the core. */
  readonly valence: number;
  /** Name as in the file: `PBE`. */
  readonly functional: string;
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.trim();

/**
 * @param xml the file, or its first kilobytes
 * @throws CalculatorError `data-set` when it is not a PAW data set
 */
export function readDataSetHead(xml: string): DataSetHead {
  const atom = /<atom\b[^>]*>/.exec(xml)?.[0] ?? '';
  const element = attribute(atom, 'symbol') ?? '';
  const valence = Number(attribute(atom, 'valence'));
  if (!xml.includes('<paw_') || !isElementSymbol(element) || !(valence > 0))
    throw new CalculatorError(
      'data-set',
      `this is no PAW-XML data set: expected <paw_setup> with <atom symbol=… valence=…>, found ${JSON.stringify(atom.slice(0, 80))}`,
    );
  const functional = attribute(/<xc_functional\b[^>]*>/.exec(xml)?.[0] ?? '', 'name') ?? '';
  return { element, valence, functional };
}

/** The density needs a grid that is finer by this factor than that of the wave functions. */
const DENSITY_CUTOFF_FACTOR = 1.5;
/** Percent by which PAW spheres may overlap; with a larger overlap the data sets are not valid together. */
const SPHERE_OVERLAP_PERCENT = 30;
/** Allowed linear growth of the cell at a fixed number of plane waves; 1.06 means 19 % of volume. */
const CELL_RANGE = { usual: 1.06, wide: 1.12 } as const;
/** Factor that converts stress to a force in the convergence test: 0.03 GPa at the usual force tolerance. */
const STRESS_FACTOR = 400;
/** Ha; smears the cutoff so that the stress is the derivative of the energy when the cell changes. */
const CUTOFF_SMEARING_HA = 0.5;
/**
 * The highest bands of a non-self-consistent run converge slowly and are excluded from the convergence test.
 */
const BUFFER_BANDS = 3;

const DENSITY_FILE = 'runo_DEN';
const DENSITY_INPUT = 'in_DEN';

const fixed = (value: number, digits: number): string =>
  (value + 0).toFixed(digits).replace(/^-(0\.0+)$/, '$1');
const rows = (vectors: readonly Vec3[], digits: number): string =>
  vectors.map((row) => `  ${row.map((value) => fixed(value, digits)).join(' ')}`).join('\n');

function crystalLines(request: StepRequest, parts: DeckStructure): string[] {
  const { structure, moments } = request;
  const { elements, siteElements } = parts;
  const bohr = structure.latticeVectors.map(
    ([x, y, z]): Vec3 => [x / BOHR_RADIUS_ANGSTROM, y / BOHR_RADIUS_ANGSTROM, z / BOHR_RADIUS_ANGSTROM],
  );
  return [
    'acell 3*1.0',
    `rprim\n${rows(bohr, 10)}`,
    `natom ${siteElements.length} ntypat ${elements.length}`,
    `typat ${siteElements.map((element) => elements.indexOf(element) + 1).join(' ')}`,
    `znucl ${elements.map((element) => elementBySymbol(element).number).join(' ')}`,
    `xred\n${rows(
      structure.sites.map((site) => site.fractionalCoords),
      12,
    )}`,
    `pseudos "${elements.map((element) => dataSetOf(request, element).fileName).join(', ')}"`,
    ...(moments
      ? ['nsppol 2 nspden 2', `spinat\n${moments.map((moment) => `  0 0 ${moment.toFixed(2)}`).join('\n')}`]
      : []),
  ];
}

function mixingLine({ workarounds }: StepRequest): string[] {
  if (workarounds.includes('safest-mixing')) return ['iprcel 45 diemix 0.2 npulayit 15'];
  if (workarounds.includes('gentle-mixing')) return ['diemac 4.0 npulayit 12'];
  return [];
}

function relaxLines(request: StepRequest): string[] {
  const { preset, isMetal, workarounds } = request;
  const { forceToleranceHaPerBohr } = PRESETS[preset];
  const range = workarounds.includes('wide-cell-range') ? CELL_RANGE.wide : CELL_RANGE.usual;
  const mixing = mixingLine(request);
  return [
    'nstep 80 tolvrs 1.0d-7',
    ...(mixing.length > 0 ? mixing : [`diemac ${isMetal ? '1.0d6' : '12.0'}`]),
    `ionmov ${workarounds.includes('plain-bfgs') ? 2 : 22} optcell 2 ntime 30`,
    `tolmxf ${forceToleranceHaPerBohr.toExponential(1).replace('e', 'd')} strfact ${STRESS_FACTOR}`,
    `ecutsm ${CUTOFF_SMEARING_HA} dilatmx ${range.toFixed(2)}`,
    // Wave functions are kept so that each geometry starts from the previous one.
    'prtwf 1 prtden 0',
  ];
}

function bandsLines({ kPoints = [] }: StepRequest): string[] {
  if (kPoints.length === 0)
    throw new CalculatorError('structure', 'no k-points were given; a band structure needs a path');
  return [
    `getden_filepath "${DENSITY_INPUT}" iscf -2 tolwfr 1.0d-9 nstep 60 nbdbuf ${BUFFER_BANDS} prtden 0 prtwf 0`,
    // An explicit list allows discontinuous paths; istwfk 1 treats every point as a general point.
    `kptopt 0 kptnrm 1 nkpt ${kPoints.length} istwfk ${kPoints.length}*1\nkpt\n${rows(kPoints, 8)}`,
  ];
}

const dosLines = ({ preset }: StepRequest): string[] => [
  `getden_filepath "${DENSITY_INPUT}" iscf -3 tolwfr 1.0d-8 nstep 40 nbdbuf ${BUFFER_BANDS} prtden 0 prtwf 0`,
  `prtdos 3 pawprtdos 2 dosdeltae ${PRESETS[preset].dosStepHa}`,
];

const stepLines = (request: StepRequest): string[] => {
  switch (request.step) {
    case 'relax':
      return relaxLines(request);
    case 'static':
      return ['nstep 100 tolvrs 1.0d-9', ...mixingLine(request), 'prtden 1 prtwf 0'];
    case 'bands':
      return bandsLines(request);
    default:
      return dosLines(request);
  }
};

/**
 * The deck `run.abi` of a step.
 * @throws CalculatorError when a site is partly occupied, a data set is missing or a path is empty
 */
export function abinitDeck(request: StepRequest): string {
  const parts = deckStructure(request.structure);
  const { cutoffHa } = PRESETS[request.preset];
  const lines = [
    `# ${request.title.replaceAll(/[^\w .:()+-]/g, '_').slice(0, 100)}: ${request.step}`,
    ...crystalLines(request, parts),
    `ecut ${cutoffHa.toFixed(1)} pawecutdg ${(DENSITY_CUTOFF_FACTOR * cutoffHa).toFixed(1)} boxcutmin 1.5 pawovlp ${SPHERE_OVERLAP_PERCENT}`,
    `occopt 7 tsmear ${SMEARING_HA} nband ${bandCount(request, parts)}`,
    // Cells of users may be non-primitive or contain non-symmorphic translations.
    'chkprim 0 chksymtnons 0 chksymbreak 0 chkexit 2 prteig 1 prtebands 0 prtgsr 0',
    ...(request.step === 'bands'
      ? []
      : [`kptopt 1 ngkpt ${meshOf(request).join(' ')} nshiftk 1 shiftk 0 0 0`]),
    ...stepLines(request),
  ];
  return `${lines.join('\n')}\n`;
}

/** Files of earlier steps that this step reads. */
export const abinitNeeds = ({ step }: StepRequest) =>
  step === 'bands' || step === 'dos'
    ? [{ step: 'static' as const, file: DENSITY_FILE, as: DENSITY_INPUT }]
    : [];
