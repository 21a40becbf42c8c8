/** Texts of the prediction calls. */
import type { MessageTable } from '../message-table.ts';

export const predictionMessages = {
  'prediction.nothing-given': {
    en: 'Please give a crystal or a formula: a CIF or POSCAR, a formula such as LiFePO4, or the id of a material.',
    zh: '请提供晶体或化学式：CIF 或 POSCAR 文件、化学式（如 LiFePO4）或材料编号。',
  },
  'prediction.several-given': {
    en: 'Please give one thing to predict: the request holds {{given}}, which may be different crystals.',
    zh: '请只提供一个预测对象：请求中同时含有 {{given}}，它们可能是不同的晶体。',
  },
  'prediction.bad-formula': {
    en: 'The formula cannot be read: {{reason}}',
    zh: '无法读取该化学式：{{reason}}',
  },
  'prediction.unreadable': {
    en: 'The structure cannot be read: {{reason}}',
    zh: '无法读取该结构：{{reason}}',
  },
  'prediction.disordered': {
    en: 'Nothing is predicted for disordered crystals: a site is shared by several elements or partly vacant. Give an ordered cell, with one whole atom on every site.',
    zh: '无法预测无序晶体：有位点由多种元素共占或部分空缺。请提供每个位点恰为一个原子的有序晶胞。',
  },
  'prediction.unknown-element': {
    en: '{{element}} is in {{count}} of the crystals the model learnt from; elements in at least {{limit}} are predicted.',
    zh: '模型的训练数据中有 {{count}} 个晶体含 {{element}}；只有出现在至少 {{limit}} 个晶体中的元素才会被预测。',
  },
  'prediction.too-large': {
    en: 'The cell holds {{atoms}} atoms; the model knows cells of up to {{limit}}. Give the primitive cell.',
    zh: '该晶胞含 {{atoms}} 个原子；模型适用于不超过 {{limit}} 个原子的晶胞。请提供原胞。',
  },
  'prediction.overlapping-atoms': {
    en: 'Two atoms are {{distance}} Å apart; in a crystal they are at least {{limit}} Å apart. Check the coordinates and the cell.',
    zh: '有两个原子相距仅 {{distance}} Å；晶体中原子间距至少为 {{limit}} Å。请检查坐标与晶胞。',
  },
  'prediction.off': {
    en: 'The operator of this site has switched predictions off.',
    zh: '本站运营者已关闭性质预测。',
  },
  'prediction.model-missing': {
    en: 'The model {{model}} that this site predicts with is not where it should be: please tell the operator (`unitcell model list`).',
    zh: '本站所用的预测模型 {{model}} 不在应有的位置，请联系运营者（`unitcell model list`）。',
  },
} as const satisfies MessageTable;
