/**
 * ABINIT input decks (ABINIT 9, PAW). Lengths are in Bohr, energies in Ha. Each step has one folder, which contains
 * every file named in its deck.
 *
 * X. Gonze et al., Comput. Phys. Commun. 248 (2020) 107042, doi:10.1016/j.cpc.2019.107042; variables as
 * documented at docs.abinit.org.
 */
import { BOHR_RADIUS_ANGSTROM, elementBySymbol, isElementSymbol } from '@unitcell/elements';
import { type Mat3, multiply3, scale3, type Vec3 } from '@unitcell/numerics';
import type { StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { PRESETS } from '../presets.ts';
import {
  bandCount,
  dataSetOf,
  type DeckStructure,
  deckStructure,
  electronCount,
  meshOf,
  SMEARING_HA,
} from '../sampling.ts';

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

/** Relative deviation from a whole number allowed for 1/b. */
const WHOLE_NUMBER = 1e-9;

/**
 * Rewrites a radial grid of the form r = a·i/(1 − b·i), which ABINIT does not read, as r = A·i/(N − i) with A =
 * a/b and N = 1/b. Both give the same points; N is a whole number in all data sets of gpaw-data 1.2. Other text
 * is unchanged.
 * @throws CalculatorError `data-set` when 1/b is not a whole number
 */
export const readableGrids = (xml: string): string =>
  xml.replaceAll(/<radial_grid\b[^>]*\beq="r=a\*i\/\(1-b\*i\)"[^>]*>/g, (tag) => {
    const [a, b] = [Number(attribute(tag, 'a')), Number(attribute(tag, 'b'))];
    const whole = Math.round(1 / b);
    if (!(a > 0 && b > 0 && Math.abs(whole * b - 1) < WHOLE_NUMBER))
      throw new CalculatorError('data-set', `the radial grid ${tag} has no form that ABINIT reads`);
    return tag
      .replace('r=a*i/(1-b*i)', 'r=a*i/(n-i)')
      .replace(/\ba="[^"]*"/, `a="${a * whole}"`)
      .replace(/\s+b="[^"]*"/, '')
      .replace(/\bn="[^"]*"/, `n="${whole}"`);
  });

/** Factor by which the grid of the density is finer than that of the wave functions. */
const DENSITY_CUTOFF_FACTOR = 1.5;
/**
 * Maximum overlap of PAW spheres in per cent; with a larger overlap the data sets must not be used together.
 */
const SPHERE_OVERLAP_PERCENT = 30;
/** Linear growth of the cell for which the plane waves suffice; 1.06 allows 19 % more volume. */
const CELL_RANGE = { usual: 1.06, wide: 1.12 } as const;
/**
 * Factor that converts a stress to a force for the convergence test; the usual force tolerance then corresponds
 * to 0.03 GPa.
 */
const STRESS_FACTOR = 400;
/**
 * Ha; smearing of the cutoff, so that the stress is the exact derivative of the energy when the cell changes.
 */
const CUTOFF_SMEARING_HA = 0.5;
/**
 * The highest bands of a non-self-consistent run converge slowly and are excluded from the convergence test.
 */
const BUFFER_BANDS = 3;

export const DENSITY_FILE = 'runo_DEN';
const DENSITY_INPUT = 'in_DEN';

const fixed = (value: number, digits: number): string =>
  (value + 0).toFixed(digits).replace(/^-(0\.0+)$/, '$1');
const rows = (vectors: readonly Vec3[], digits: number): string =>
  vectors.map((row) => `  ${row.map((value) => fixed(value, digits)).join(' ')}`).join('\n');

const bohrVectors = ([a, b, c]: Mat3): Mat3 => [
  scale3(a, 1 / BOHR_RADIUS_ANGSTROM),
  scale3(b, 1 / BOHR_RADIUS_ANGSTROM),
  scale3(c, 1 / BOHR_RADIUS_ANGSTROM),
];

function crystalLines(request: StepRequest, parts: DeckStructure): string[] {
  const { structure, moments } = request;
  const { elements, siteElements } = parts;
  return [
    'acell 3*1.0',
    `rprim\n${rows(bohrVectors(structure.latticeVectors), 10)}`,
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

/** Input lines for Hubbard U of each atom type (`lpawu` −1: no U) and for the dispersion correction. */
function physicsLines({ hubbardU = {}, hasDispersion }: StepRequest, { elements }: DeckStructure): string[] {
  const values = elements.map((element) => hubbardU[element] ?? 0);
  return [
    ...(values.some((value) => value > 0)
      ? [
          `usepawu 1 lpawu ${values.map((value) => (value > 0 ? 2 : -1)).join(' ')} upawu ${values.map((value) => value.toFixed(2)).join(' ')} eV`,
        ]
      : []),
    // S. Grimme et al., J. Comput. Chem. 32 (2011) 1456, doi:10.1002/jcc.21759.
    ...(hasDispersion ? ['vdw_xc 7'] : []),
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

/** Whether all bands are full or empty, as responses to an electric field require. */
const isGapped = (request: StepRequest, parts: DeckStructure): boolean =>
  !request.isMetal && request.moments === null && electronCount(request, parts) % 2 === 0;

/** Engineering strain used for the finite differences of the stress. */
export const ELASTIC_STRAIN = 0.005;
/** Number of strained cells in one run: six strains with both signs. */
export const STRAINED_CELLS = 12;
/** Ha/Bohr. Atoms of a strained cell are relaxed until the largest force is below this. */
const STRAINED_FORCE_HA_PER_BOHR = 5e-5;

/** Matrix 1 + ε of each data set: strains xx yy zz yz xz xy, each with positive sign first, then negative. */
function strainOf(dataSet: number): Mat3 {
  const e = [0, 0, 0, 0, 0, 0];
  e[Math.floor(dataSet / 2)] = dataSet % 2 === 0 ? ELASTIC_STRAIN : -ELASTIC_STRAIN;
  return [
    [1 + e[0], e[5] / 2, e[4] / 2],
    [e[5] / 2, 1 + e[1], e[3] / 2],
    [e[4] / 2, e[3] / 2, 1 + e[2]],
  ];
}

/**
 * Calculates the stresses of strained cells with relaxed atoms. Strain perturbation theory is not used: for PAW
 * with a gradient functional ABINIT 9.6.2 gives C11 120, C12 163 GPa for silicon, against 166 and 64 measured
 * (McSkimin 1953).
 */
function elasticLines(request: StepRequest): string[] {
  const cell = bohrVectors(request.structure.latticeVectors);
  return [
    `ndtset ${STRAINED_CELLS}`,
    ...Array.from(
      { length: STRAINED_CELLS },
      (_, at) => `rprim${at + 1}\n${rows(multiply3(cell, strainOf(at)), 10)}`,
    ),
    'nstep 80 tolvrs 1.0d-9 prtwf 0 prtden 0',
    ...mixingLine(request),
    `ionmov 22 optcell 0 ntime 30 tolmxf ${STRAINED_FORCE_HA_PER_BOHR.toExponential(1).replace('e', 'd')}`,
    `ecutsm ${CUTOFF_SMEARING_HA}`,
  ];
}

/**
 * Density-functional perturbation theory at Γ in one run: the ground state, for an insulator the derivatives
 * with respect to k, then the responses to displacements and electric fields. X. Gonze, Phys. Rev. B 55
 * (1997) 10337, doi:10.1103/PhysRevB.55.10337.
 */
function phononLines(request: StepRequest, parts: DeckStructure): string[] {
  const atoms = parts.siteElements.length;
  const hasFields = isGapped(request, parts);
  return [
    `ndtset ${hasFields ? 3 : 2} jdtset 1${hasFields ? ' 2' : ''} 3`,
    // For PAW with a gradient functional, ABINIT calculates responses only without the expansion in moments.
    'pawxcdev 0 nstep 100 prtden 0 prtwf3 0',
    ...mixingLine(request),
    'tolvrs1 1.0d-14',
    ...(hasFields ? ['getwfk2 1 kptopt2 2 iscf2 -3 tolwfr2 1.0d-16 rfelfd2 2 rfdir2 1 1 1'] : []),
    `getwfk3 1 kptopt3 2 tolvrs3 1.0d-8 rfphon3 1 rfatpol3 1 ${atoms} rfdir3 1 1 1`,
    // Set for the responses only: with a wave vector, the ground state would not write the file that the
    // responses read.
    `${hasFields ? 'nqpt2 1 qpt2 0 0 0 ' : ''}nqpt3 1 qpt3 0 0 0`,
    ...(hasFields ? ['getddk3 2 rfelfd3 3'] : []),
  ];
}

const stepLines = (request: StepRequest, parts: DeckStructure): string[] => {
  switch (request.step) {
    case 'elastic':
      return elasticLines(request);
    case 'phonons':
      return phononLines(request, parts);
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
  const isResponse = request.step === 'phonons';
  const lines = [
    `# ${request.title.replaceAll(/[^\w .:()+-]/g, '_').slice(0, 100)}: ${request.step}`,
    ...crystalLines(request, parts),
    ...physicsLines(request, parts),
    `ecut ${cutoffHa.toFixed(1)} pawecutdg ${(DENSITY_CUTOFF_FACTOR * cutoffHa).toFixed(1)} boxcutmin 1.5 pawovlp ${SPHERE_OVERLAP_PERCENT}`,
    isResponse && isGapped(request, parts)
      ? `occopt 1 nband ${electronCount(request, parts) / 2}`
      : `occopt 7 tsmear ${SMEARING_HA} nband ${bandCount(request, parts)}`,
    // Cells of users may be non-primitive or contain non-symmorphic translations.
    'chkprim 0 chksymtnons 0 chksymbreak 0 chkexit 2 prteig 1 prtebands 0 prtgsr 0',
    ...(request.step === 'bands'
      ? []
      : [`kptopt${isResponse ? 1 : ''} 1 ngkpt ${meshOf(request).join(' ')} nshiftk 1 shiftk 0 0 0`]),
    ...stepLines(request, parts),
  ];
  return `${lines.join('\n')}\n`;
}

/** Files of earlier steps that are input of this step. */
export const abinitNeeds = ({ step }: StepRequest) =>
  step === 'bands' || step === 'dos'
    ? [{ step: 'static' as const, file: DENSITY_FILE, as: DENSITY_INPUT }]
    : [];
