/** Texts of phase diagram calls and of everything based on phase diagrams. */
import type { MessageTable } from '../message-table.ts';

export const phaseDiagramMessages = {
  'phase.component-number': {
    en: 'A phase diagram is drawn for two to four components; {{count}} were given. Separate them by spaces, for example Li Mn O or Li2O Mn O.',
    zh: '相图需要二至四个组分，当前输入了 {{count}} 个。请用空格分隔，例如 Li Mn O 或 Li2O Mn O。',
  },
  'phase.bad-component': {
    en: '{{text}} is neither an element nor a formula: {{reason}}',
    zh: '{{text}} 既不是元素也不是化学式：{{reason}}',
  },
  'phase.unknown-scale': {
    en: 'There is no energy scale called {{functional}}. Available: {{known}}.',
    zh: '没有名为 {{functional}} 的能量基准。可用的有：{{known}}。',
  },
  'phase.no-data': {
    en: 'The database has no energies of {{elements}} on the scale {{functional}}.',
    zh: '数据库中没有 {{elements}} 在能量基准 {{functional}} 下的数据。',
  },
  'phase.no-total-energies': {
    en: 'The scale {{functional}} has no total energies of {{elements}}. Please give a formation energy instead.',
    zh: '能量基准 {{functional}} 没有 {{elements}} 的总能，请改用形成能。',
  },
  'phase.not-of-elements': {
    en: 'Chemical potentials belong to elements: {{components}} is a compound. Use elements instead, for example Li Fe O.',
    zh: '化学势以元素为准，而 {{components}} 是化合物。请改为输入元素，例如 Li Fe O。',
  },
  'phase.no-compound': {
    en: 'The database has no energy of {{formula}} on the scale {{functional}}.',
    zh: '数据库中没有 {{formula}} 在能量基准 {{functional}} 下的能量。',
  },
  'phase.not-stable': {
    en: '{{formula}} lies {{energy}} eV/atom above the hull: no chemical potentials make it stable. It decomposes into {{products}}.',
    zh: '{{formula}} 高于凸包 {{energy}} eV/atom：任何化学势下都不稳定。平衡时的物相为 {{products}}。',
  },
  'phase.too-many-elements': {
    en: 'The input contains {{count}} different elements; at most {{limit}} are accepted.',
    zh: '共包含 {{count}} 种元素，最多接受 {{limit}} 种。',
  },
  'phase.empty': {
    en: 'The database has no energies for this system.',
    zh: '数据库中没有该体系的能量数据。',
  },
  'phase.invalid-entry': {
    en: 'An energy or amount is not a number: {{subjects}}.',
    zh: '能量或数量不是有效数字：{{subjects}}。',
  },
  'phase.duplicate-id': {
    en: 'Two entries have the same id: {{subjects}}.',
    zh: '存在重复的编号：{{subjects}}。',
  },
  'phase.unknown-element': {
    en: '{{subjects}} is not an element.',
    zh: '{{subjects}} 不是元素。',
  },
  'phase.missing-reference': {
    en: 'The database has no energy of {{subjects}}, which a corner of the diagram needs.',
    zh: '数据库中没有 {{subjects}} 的能量，无法作为相图的顶点。',
  },
  'phase.outside-system': {
    en: 'The composition lies outside the diagram: it cannot be mixed from its components.',
    zh: '该成分不在相图范围内：无法由所给组分混合得到。',
  },
  'phase.dependent-components': {
    en: '{{subjects}} cannot all be corners of one diagram: one of them is a mixture of the others.',
    zh: '{{subjects}} 不能同时作为相图的顶点：其中之一可由其余组分混合得到。',
  },
  'phase.component-count': {
    en: 'Every element of the system would be open: close the system or choose another open element.',
    zh: '体系中没有剩余的封闭元素：请关闭体系或选择其他开放元素。',
  },
  'phase.working-ion': {
    en: 'There is no window of {{subjects}} against itself or in a system without it.',
    zh: '{{subjects}} 没有相对于自身、或在不含它的体系中的电化学窗口。',
  },
  'phase.reactant': {
    en: '{{subjects}} is open to the reservoir and cannot be a reactant as well. Choose another reactant or close the system.',
    zh: '{{subjects}} 已与外界交换，不能同时作为反应物。请更换反应物或关闭体系。',
  },
} as const satisfies MessageTable;

// ── Texts of the ecwindow calls ──

export const ecwindowMessages = {
  'ecwindow.unknown-ion': {
    en: '{{text}} is not a working ion. Choose {{known}}.',
    zh: '{{text}} 不是工作离子。可选 {{known}}。',
  },
  'ecwindow.no-ion': {
    en: 'The database has no electrochemical windows against {{ion}} on the scale {{functional}}: it has no energy of {{ion}}.',
    zh: '数据库在能量基准 {{functional}} 下没有 {{ion}} 的能量，因此没有相对于 {{ion}} 的电化学窗口。',
  },
  'ecwindow.bad-range': {
    en: 'The range {{text}} of {{field}} is invalid. Write a range as [min, max].',
    zh: '无法识别 {{field}} 的范围 {{text}}。范围请写成 [最小值, 最大值]。',
  },
  'ecwindow.no-energy': {
    en: 'The material {{id}} has no energy on the scale {{functional}}, so no window can be given.',
    zh: '材料 {{id}} 在能量基准 {{functional}} 下没有能量数据，无法给出电化学窗口。',
  },
} as const satisfies MessageTable;

// ── Texts of the interface reaction call ──

export const interfaceReactionMessages = {
  'interface.no-reactant': {
    en: 'Please enter both reactants, as a formula (Li3PS4) or as a material id (142).',
    zh: '请输入两个反应物，可以是化学式（Li3PS4）或材料编号（142）。',
  },
  'interface.bad-reactant': {
    en: 'The reactant {{text}} cannot be read as a formula: {{reason}}',
    zh: '无法将反应物 {{text}} 识别为化学式：{{reason}}',
  },
  'interface.no-material': {
    en: 'There is no material {{id}}. Please enter the id of a material of this database, or a formula.',
    zh: '没有编号为 {{id}} 的材料，请输入本数据库中的材料编号或化学式。',
  },
  'interface.same-reactants': {
    en: 'Both reactants are {{formula}}: a material does not react with itself. Choose two different ones.',
    zh: '两个反应物都是 {{formula}}：同一种物质不会与自身反应，请选择两种不同的物质。',
  },
  'interface.no-energy': {
    en: 'The material {{id}} has no energy on the scale {{functional}}, so its reactions cannot be given.',
    zh: '材料 {{id}} 在能量基准 {{functional}} 下没有能量数据，无法给出其反应。',
  },
  'interface.unknown-element': {
    en: '{{text}} is not an element. The open element is written as its symbol, for example Li or O.',
    zh: '{{text}} 不是元素。开放元素请填写元素符号，例如 Li 或 O。',
  },
  'interface.bad-potential': {
    en: 'The chemical potential is {{value}} eV. Please enter a number between {{min}} and {{max}} eV relative to the pure element.',
    zh: '化学势为 {{value}} eV。请输入相对于单质 {{min}} 到 {{max}} eV 之间的数。',
  },
  'interface.atomic-title': {
    en: 'Atomic fraction of {{formula}}',
    zh: '{{formula}} 的原子分数',
  },
  'interface.molar-title': {
    en: 'Molar fraction of {{formula}}',
    zh: '{{formula}} 的摩尔分数',
  },
} as const satisfies MessageTable;
