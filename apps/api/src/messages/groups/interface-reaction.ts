/** Texts of the interface reaction call. */
import type { MessageTable } from '../message-table.ts';

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
