/**
 * A chemical system on the stability page: state in the address `?q=Ti+O&phase=145&ion=Li&pH=7&U=0&T=1273`, and texts.
 * The visitor's own crystal is stored as its formula and predicted energy, with the id of the same material in the
 * catalogue if there is one: `own=TiO2&E=-3.2,-3.3,-3.1&as=145`.
 */
import { WORKING_IONS, type WorkingIon } from '@unitcell/contract/ecwindow/rules';
import { energyText, type PlacedCrystal, readEnergyText } from '../../components/own-crystal.tsx';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';
import {
  readEllingham,
  DEFAULT_READING as USUAL_KELVIN,
} from '../../features/stability/ellingham-address.ts';
import { readPourbaix } from '../../features/stability/pourbaix-address.ts';
import {
  type PlaneChoice,
  planeParameters,
  readPlane,
  readUnstable,
  type UnstableChoice,
  unstableParameters,
} from '../../features/phase-diagram/view-model.ts';
import { defineTexts } from '../../i18n/texts.ts';

export interface SystemState {
  /** Symbols joined by spaces; null before the first diagram. */
  readonly elements: string | null;
  readonly scale: string | null;
  /**
   * The chosen material. Null means the user's own crystal or, if there is none, the stable compound with the
   * lowest formation energy.
   */
  readonly phase: number | null;
  readonly own: PlacedCrystal | null;
  readonly ion: WorkingIon;
  /** The point (pH and V) at which the Pourbaix diagram is read. */
  readonly ph: number;
  readonly volts: number;
  /** Temperature at which the Ellingham diagram is read, K. */
  readonly kelvin: number;
  readonly unstable: UnstableChoice;
  readonly plane: PlaneChoice;
}

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Invalid values fall back to their defaults. */
export function readSystem(parameters: URLSearchParams): SystemState {
  const phase = Number(parameters.get('phase'));
  const { ph, volts } = readPourbaix(parameters);
  const formula = parameters.get('own')?.trim().slice(0, 200) ?? '';
  const energy = readEnergyText(parameters.get('E') ?? '');
  const structId = Number(parameters.get('as'));
  return {
    elements: parameters.get('q')?.trim() || null,
    scale: readScale(parameters),
    phase: isId(phase) ? phase : null,
    own:
      formula === '' || energy === null
        ? null
        : { formula, energy, structId: isId(structId) ? structId : null },
    ion: WORKING_IONS.find((ion) => ion === parameters.get('ion')) ?? WORKING_IONS[0],
    ph,
    volts,
    kelvin: readEllingham(parameters).reading,
    unstable: readUnstable(parameters),
    plane: readPlane(parameters),
  };
}

export function writeSystem({
  elements,
  scale,
  phase,
  own,
  ion,
  ph,
  volts,
  kelvin,
  unstable,
  plane,
}: SystemState): URLSearchParams {
  const usual = readSystem(new URLSearchParams());
  return new URLSearchParams({
    ...(elements === null ? {} : { q: elements }),
    ...(phase === null ? {} : { phase: String(phase) }),
    ...(own === null ? {} : { own: own.formula, E: energyText(own.energy) }),
    ...(own === null || own.structId === null ? {} : { as: String(own.structId) }),
    ...(ion === usual.ion ? {} : { ion }),
    ...(ph === usual.ph ? {} : { pH: String(ph) }),
    ...(volts === usual.volts ? {} : { U: String(volts) }),
    ...(kelvin === USUAL_KELVIN ? {} : { T: String(kelvin) }),
    ...unstableParameters(unstable),
    ...planeParameters(plane),
    ...(scale === null ? {} : { [SCALE_PARAMETER]: scale }),
  });
}

/** The symbols in a text. `Ti-O` and `Ti, O` are read like `Ti O`. */
export const symbolsOf = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;，；、\-–]+/).filter((symbol) => symbol !== '')),
];

export const systemTexts = defineTexts('stability-system', {
  title: ['Stability of a chemical system', '化学体系的稳定性'],
  lead: [
    'Hull, chemical potentials, water, temperature and battery voltage of the same elements. Choose a phase, or point at one: the diagrams mark it.',
    '同一组元素的凸包、化学势、水溶液、温度与电池电压。选择或指向一个相，各图会将其标出。',
  ],
  elements: ['Elements', '元素'],
  elementsExample: ['Li Mn O', 'Li Mn O'],
  draw: ['Draw', '绘制'],
  problem: [
    'Enter 2 to 4 element symbols, such as Ti O. Not an element: {{text}}.',
    '请输入 2 至 4 个元素符号，如 Ti O。不是元素：{{text}}。',
  ],
  count: ['Enter 2 to 4 elements; there are {{count}}.', '请输入 2 至 4 个元素，现有 {{count}} 个。'],
  idle: ['Enter the elements of a system, or choose an example.', '请输入体系的元素，或选择一个示例。'],
  loading: ['Loading…', '正在加载…'],
  results: ['Diagrams', '各图'],
  phase: ['Phase', '相'],
  openMaterial: ['Open material', '打开材料'],
  fullPage: ['Full page', '完整页面'],
  hull: ['Phase diagram', '相图'],
  hullLead: ['Click a phase to choose it.', '点击图中的相即可选中。'],
  water: ['In water', '在水中'],
  waterLead: [
    'Pourbaix diagram, 25 °C, 10⁻⁶ mol/l of each element.',
    'Pourbaix 图，25 °C，各元素 10⁻⁶ mol/l。',
  ],
  noWater: [
    'A Pourbaix diagram has one to three elements besides O and H; this system has {{count}}.',
    'Pourbaix 图含除 O、H 外的一至三种元素，此体系有 {{count}} 种。',
  ],
  temperature: ['With temperature', '随温度'],
  temperatureLead: [
    'Ellingham diagram of the elements, from measured energies. Lines of the phase are bold.',
    '各元素的 Ellingham 图，取自实测能量。所选相的曲线加粗。',
  ],
  voltage: ['Against an ion', '相对于离子'],
  voltageLead: ['Electrochemical window of {{formula}}.', '{{formula}} 的电化学窗口。'],
  workingIon: ['Working ion', '工作离子'],
  ionItself: [
    '{{formula}} has no window against itself: choose another ion or phase.',
    '{{formula}} 相对于自身没有窗口：请另选离子或相。',
  ],
  ownPhase: ['{{formula}} (your crystal, predicted)', '{{formula}}（自己的晶体，预测）'],
  ownHull: [
    '{{energy}} eV/atom above the known phases (90 % interval {{interval}})',
    '相对已知物相 {{energy}} eV/atom（90 % 区间 {{interval}}）',
  ],
  ownNote: [
    'Neither measured nor calculated. It is marked in the phase diagram; chemical potentials, water and window use its predicted energy, the Ellingham diagram only measured ones.',
    '既非实测也非第一性原理计算。相图中已标出；化学势、水溶液和窗口使用其预测能量，Ellingham 图只用实测能量。',
  ],
  ownScale: [
    '{{formula}} is predicted on the scale {{scale}}: choose it to see the crystal in the diagrams.',
    '{{formula}} 按基准 {{scale}} 预测：选择该基准即可在各图中看到此晶体。',
  ],
  ownCount: [
    '{{formula}} has {{count}} elements: these diagrams have 2 to 4.',
    '{{formula}} 含 {{count}} 种元素，这些图只适用于 2 至 4 种元素。',
  ],
  notPlaced: [
    '{{formula}} is not placed, only its elements are drawn.',
    '{{formula}} 未放置，仅绘制其元素。',
  ],
  remove: ['Remove', '移除'],
  dropHint: [
    'Your own crystal is shown in all diagrams: with its entry if the database has it, otherwise with its predicted energy.',
    '自己的晶体加入所有图：数据库中已有则使用其数据，否则按预测能量。',
  ],
  ownVoltageLead: [
    'Electrochemical window of {{formula}} with its predicted energy.',
    '{{formula}} 按预测能量的电化学窗口。',
  ],
  noPhase: ['This system has no stable compound: choose a phase.', '此体系没有稳定化合物：请选择一个相。'],
});
