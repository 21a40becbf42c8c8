/**
 * Files about a refinement for others: one CIF with phases and profile, and a report of method, numbers and sources.
 */
import type { MeasurementRecord, RefinedPhase, RefineResult } from '@unitcell/contract/xrd';
import { findRadiationSource } from '@unitcell/diffraction';
import { formulaText } from '../../../components/formula.tsx';
import { defineTexts, type Translate } from '../../../i18n/texts.ts';
import { escapeXml } from '../../../lib/file-origin.ts';
import { cellRows, nameOf, percentWithEsd, withEsd } from './refine-view-model.ts';
import { MISSING } from '../../../lib/format.ts';

/** Source of a phase's structure, from the `_unitcell_` items of its CIF; empty for missing items. */
interface Entry {
  readonly source: string;
  readonly licence: string;
  readonly release: string;
  readonly address: string;
}

/** Reads the value of an item: in quotes, in a text field between semicolons, or a single word. */
const remark = (cif: string, name: string): string =>
  (new RegExp(`^_unitcell_${name}\\s+(?:;([\\s\\S]*?)\\n;|'(.*)'|"(.*)"|(\\S+))\\s*$`, 'm').exec(cif) ?? [])
    .slice(1)
    .find((found) => found !== undefined)
    ?.trim() ?? '';

const entryOf = (cif: string): Entry => ({
  source: remark(cif, 'source'),
  licence: remark(cif, 'licence'),
  release: remark(cif, 'release'),
  address: remark(cif, 'address'),
});

export interface Report {
  /** Name of the measured file. */
  readonly file: string;
  readonly record: MeasurementRecord | null;
  readonly radiation: string;
  /** Standard deviations of the file; undefined: those of the counts. */
  readonly sigmas?: readonly number[] | undefined;
  readonly result: RefineResult;
  /** CIF of each phase before the refinement. */
  readonly cifs: readonly string[];
  /** `2026-11-27` */
  readonly date: string;
}

// ── CIF ──

/** Replaces the true minus sign, because a CIF value contains only ASCII characters. */
const cifValue = (value: number, esd: number | null): string => withEsd(value, esd).replace('\u2212', '-');

const CELL_TAGS = {
  _cell_length_a: 'a',
  _cell_length_b: 'b',
  _cell_length_c: 'c',
  _cell_angle_alpha: 'alpha',
  _cell_angle_beta: 'beta',
  _cell_angle_gamma: 'gamma',
  _cell_volume: 'volume',
} as const;

const blockName = (index: number, { formula }: RefinedPhase): string =>
  `phase_${index + 1}_${formula.replaceAll(/[^A-Za-z0-9]/g, '')}`;

/** The CIF of a phase with its refined cell and, if it states a density, the new density; the same atoms. */
function phaseBlock(cif: string, phase: RefinedPhase, index: number): string {
  const name = blockName(index, phase);
  const replaced = (text: string, tag: string, value: string): string =>
    text.replace(new RegExp(`^[ \\t]*${tag}\\s.*$`, 'im'), `${tag} ${value}`);
  const named = cif
    .trim()
    .replace(/^[ \t]*_pd_block_id\s.*\n/im, '')
    .replace(/^data_\S*/im, `data_${name}\n_pd_block_id ${name}`);
  return Object.entries(CELL_TAGS).reduce(
    (text, [tag, key]) => replaced(text, tag, cifValue(phase.cell[key].value, phase.cell[key].esd)),
    replaced(named, '_exptl_crystal_density_diffrn', phase.density.toFixed(3)),
  );
}

const share = (value: number): string => value.toFixed(4);

const asNumber = (value = 0): string => String(Number(value.toPrecision(7)));

/** Weights of the fit: 0 for excluded points, and `.` if only the server knows the standard deviations. */
function weightsOf({ result, sigmas }: Report): string[] {
  const { two_theta, measured, excluded, notices } = result;
  const areCounts = notices.every(({ code }) => code !== 'not-counts');
  return two_theta.map((angle, i) => {
    if (excluded.some(([from = 0, to = 0]) => angle >= from && angle <= to)) return '0';
    const variance = sigmas ? (sigmas[i] ?? 0) ** 2 : Math.max(1, measured[i] ?? 0);
    return sigmas || areCounts ? asNumber(1 / variance) : '.';
  });
}

/** The phases with their refined cells, then measured, calculated and background intensities (dictionary cif_pow). */
export function refinedCif(report: Report): string {
  const { file, radiation, result, cifs, date } = report;
  const weights = weightsOf(report);
  const { phases, wavelengths } = result;
  const profile = [
    'data_profile',
    `_audit_creation_date ${date}`,
    `_pd_block_id '${file.replaceAll(/[^\w.-]/g, '_')}'`,
    `_refine_ls_goodness_of_fit_all ${Math.sqrt(result.chi_squared).toFixed(3)}`,
    `_pd_proc_ls_prof_R_factor ${share(result.r_p)}`,
    `_pd_proc_ls_prof_wR_factor ${share(result.r_wp)}`,
    `_pd_proc_ls_prof_wR_expected ${share(result.r_exp)}`,
    `_diffrn_radiation_probe ${findRadiationSource(radiation)?.probe ?? 'x-ray'}`,
    'loop_',
    '_diffrn_radiation_wavelength',
    '_diffrn_radiation_wavelength_wt',
    ...wavelengths.map(({ wavelength, weight }) => `${wavelength} ${weight.toFixed(4)}`),
    'loop_',
    '_pd_phase_block_id',
    '_pd_phase_name',
    '_pd_phase_mass_%',
    ...phases.map(
      (phase, index) =>
        `${blockName(index, phase)} '${phase.formula}' ${phase.weight_fraction ? cifValue(100 * phase.weight_fraction.value, phase.weight_fraction.esd === null ? null : 100 * phase.weight_fraction.esd) : '.'}`,
    ),
    'loop_',
    '_pd_meas_2theta_scan',
    '_pd_proc_intensity_total',
    '_pd_calc_intensity_total',
    '_pd_proc_intensity_bkg_calc',
    '_pd_proc_ls_weight',
    ...result.two_theta.map((angle, i) =>
      [
        Number(angle.toFixed(5)),
        ...[result.measured, result.calculated, result.background].map((list) => asNumber(list[i])),
        weights[i],
      ].join(' '),
    ),
  ].join('\n');
  return `${[...cifs.map((cif, i) => (phases[i] ? phaseBlock(cif, phases[i], i) : '')), profile].join('\n\n')}\n`;
}

// ── Report ──

/** References for the methods that a refinement used. */
export function methodWorks({ method, phases, parameters }: RefineResult): string[] {
  const has = (name: string): boolean => parameters.some((parameter) => parameter.name === name);
  return [
    method === 'rietveld'
      ? 'H. M. Rietveld, J. Appl. Cryst. 2, 65 (1969), doi:10.1107/S0021889869006558'
      : 'A. Le Bail, H. Duroy, J. L. Fourquet, Mater. Res. Bull. 23, 447 (1988), doi:10.1016/0025-5408(88)90019-0',
    'P. Thompson, D. E. Cox, J. B. Hastings, J. Appl. Cryst. 20, 79 (1987), doi:10.1107/S0021889887087090',
    ...(has('axial divergence')
      ? [
          'L. W. Finger, D. E. Cox, A. P. Jephcoat, J. Appl. Cryst. 27, 892 (1994), doi:10.1107/S0021889894004218',
        ]
      : []),
    ...(phases.some(({ texture }) => texture !== null)
      ? ['W. A. Dollase, J. Appl. Cryst. 19, 267 (1986), doi:10.1107/S0021889886089458']
      : []),
    ...(method === 'rietveld' && phases.length > 1
      ? ['R. J. Hill, C. J. Howard, J. Appl. Cryst. 20, 467 (1987), doi:10.1107/S0021889887086199']
      : []),
    ...(phases.some(({ microabsorption }) => microabsorption !== null)
      ? ['G. W. Brindley, Philos. Mag. 36, 347 (1945), doi:10.1080/14786444508520918']
      : []),
    'J.-F. Bérar, P. Lelann, J. Appl. Cryst. 24, 1 (1991), doi:10.1107/S0021889890008391',
  ];
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${header.map((cell) => `<th>${escapeXml(cell)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;

const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${escapeXml(item)}</li>`).join('')}</ul>`;

const STYLE = `body{font:11pt/1.45 Georgia,"Songti SC",SimSun,serif;color:#111;background:#fff;max-width:19cm;margin:1.5cm auto;padding:0 1em}
h1{font-size:18pt;margin:0}h2{font-size:13pt;margin:1.4em 0 .4em;border-top:1px solid #999;padding-top:.6em;break-after:avoid}
table{border-collapse:collapse;width:100%;font-size:9.5pt;margin:.5em 0;break-inside:avoid}th,td{text-align:left;padding:.2em .8em .2em 0;border-bottom:1px solid #ccc;vertical-align:top}
svg{width:100%;height:auto}.lead{font-weight:bold}ul{padding-left:1.2em}@page{margin:1.8cm}`;

export const reportTexts = defineTexts('xrd-report', {
  heading: ['4. Report', '4. 报告'],
  lead: [
    'Report: figure, phases, cells, notices and all sources on one page, to read or to print as PDF. CIF: refined cells, atoms and the profile. Project: everything in one file that this page opens again.',
    '报告：图、物相、晶胞、提示和全部来源在一页中，可阅读或打印为 PDF。CIF：精修晶胞、原子和谱图。项目：全部内容存入一个文件，可在本页重新打开。',
  ],
  report: ['Report', '报告'],
  cif: ['CIF', 'CIF'],
  title: ['Refinement', '精修'],
  measurement: ['Measurement', '测量'],
  file: ['File', '文件'],
  instrument: ['Instrument', '仪器'],
  radiation: ['Radiation', '射线'],
  release: ['release', '数据版本'],
  points: ['Points', '点数'],
  date: ['Date of the refinement', '精修日期'],
  result: ['Result', '结果'],
  phases: ['Phases', '物相'],
  phase: ['Phase', '物相'],
  spaceGroup: ['Space group', '空间群'],
  fraction: ['Weight fraction (%)', '重量分数 (%)'],
  density: ['Density (g/cm³)', '密度 (g/cm³)'],
  cells: ['Cells', '晶胞'],
  parameter: ['Parameter', '参数'],
  refined: ['Refined', '精修值'],
  start: ['Before', '精修前'],
  notices: ['Notices', '使用数值前须知'],
  structures: ['Structures', '结构'],
  method: ['Method', '方法'],
  esd: [
    'Whole-pattern refinement with fixed atoms by Unitcell. Standard deviations in parentheses contain the factor of Bérar and Lelann. Cite these works and the sources of the structures:',
    '由 Unitcell 固定原子作全谱精修。括号中的标准偏差含 Bérar 与 Lelann 因子。请引用以下文献和结构来源：',
  ],
  figure: [
    'Measured and calculated intensities, background, difference below, and positions of reflections.',
    '实测与计算强度、背底，下方为差值，竖线为衍射峰位置。',
  ],
});

/**
 * The report as one HTML page without external files, which browsers can print as a PDF. @param svg the figure, or
 * empty
 */
export function reportHtml(
  report: Report,
  t: Translate<(typeof reportTexts)['en']>,
  verdict: string,
  svg: string,
  language: string,
): string {
  const { file, record, radiation, result, cifs, date } = report;
  const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;
  const lines = result.wavelengths.map(({ wavelength }) => `${wavelength} Å`).join(', ');
  const measurement = [
    [t('file'), file],
    [t('radiation'), `${radiation} (${lines})`],
    ...(record
      ? [
          [
            t('instrument'),
            [record.format, record.anode, record.monochromator, record.divergence_slit]
              .filter(Boolean)
              .join(', '),
          ],
        ]
      : []),
    [
      t('points'),
      `${result.points}, ${result.two_theta[0]?.toFixed(2)}–${result.two_theta.at(-1)?.toFixed(2)}°`,
    ],
    [t('date'), date],
  ];
  const phases = result.phases.map((phase) => [
    nameOf(phase),
    phase.space_group,
    phase.weight_fraction ? percentWithEsd(phase.weight_fraction) : MISSING,
    percent(phase.r_bragg),
    phase.density.toFixed(3),
  ]);
  const structures = result.phases.map((phase, index) => {
    const { source, licence, release, address } = entryOf(cifs[index] ?? '');
    return [nameOf(phase), source, licence, release && `${t('release')} ${release}`, address]
      .filter((piece) => piece !== '')
      .join('; ');
  });
  const title = `${t('title')}: ${file}`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeXml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeXml(title)}</h1>
<h2>${escapeXml(t('measurement'))}</h2>${table(['', ''], measurement)}
<h2>${escapeXml(t('result'))}</h2><p class="lead">${escapeXml(verdict)}</p><p>${escapeXml(result.statement)}</p>
<p><i>R</i><sub>wp</sub> ${percent(result.r_wp)}, <i>R</i><sub>exp</sub> ${percent(result.r_exp)}, <i>R</i><sub>p</sub> ${percent(result.r_p)}, χ² ${result.chi_squared.toFixed(2)}</p>
${svg === '' ? '' : `<figure>${svg}<figcaption>${escapeXml(t('figure'))}</figcaption></figure>`}
<h2>${escapeXml(t('phases'))}</h2>${table([t('phase'), t('spaceGroup'), t('fraction'), 'R(Bragg)', t('density')], phases)}
<h2>${escapeXml(t('cells'))}</h2>${table(
    [t('phase'), t('parameter'), t('refined'), t('start')],
    cellRows(result.phases).map(({ phase, name, unit, value, esd, start }) => [
      formulaText(phase),
      `${name} (${unit})`,
      withEsd(value, esd),
      String(Number(start.toFixed(5))),
    ]),
  )}
${result.notices.length > 0 ? `<h2>${escapeXml(t('notices'))}</h2>${list(result.notices.map(({ message }) => message))}` : ''}
<h2>${escapeXml(t('structures'))}</h2>${list(structures)}
<h2>${escapeXml(t('method'))}</h2><p>${escapeXml(t('esd'))}</p>${list(methodWorks(result))}
</body></html>
`;
}
