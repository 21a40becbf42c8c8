/** Texts of the matdata calls. */
import type { MessageTable } from '../message-table.ts';

export const matdataMessages = {
  'search.too-long': {
    en: 'The search text has {{length}} characters; at most {{limit}} are accepted.',
    zh: '检索内容有 {{length}} 个字符，最多接受 {{limit}} 个。',
  },
  'search.no-elements': {
    en: 'Please enter at least one element symbol, for example Ti-O.',
    zh: '请至少输入一个元素符号，例如 Ti-O。',
  },
  'search.unknown-elements': {
    en: '{{symbols}} is not an element symbol. Elements are written like Ti-O.',
    zh: '{{symbols}} 不是元素符号。元素请写成 Ti-O 的形式。',
  },
  'search.formula-in-element-mode': {
    en: '{{text}} looks like a formula. Switch the search to "by Formula", or separate elements by hyphens: {{suggestion}}.',
    zh: '{{text}} 看起来是化学式。请切换到“按化学式”检索，或用连字符分隔元素：{{suggestion}}。',
  },
  'search.bad-formula': {
    en: 'The formula {{text}} cannot be read: {{reason}}',
    zh: '无法识别化学式 {{text}}：{{reason}}',
  },
  'search.formula-start': {
    en: 'The formula {{text}} should start with an element symbol, for example TiO2.',
    zh: '化学式 {{text}} 应以元素符号开头，例如 TiO2。',
  },
  'search.bad-struct-id': {
    en: '{{text}} is not a material id. Ids are whole numbers, for example 142.',
    zh: '{{text}} 不是材料编号。编号为整数，例如 142。',
  },
  'search.truncated': {
    en: 'There are {{count}} matches; the first {{limit}} are shown. Add an element to narrow the search.',
    zh: '共有 {{count}} 条结果，仅显示前 {{limit}} 条。可增加元素以缩小检索范围。',
  },
  'material.not-found': {
    en: 'There is no material with the id {{id}}.',
    zh: '没有编号为 {{id}} 的材料。',
  },
  'xrd.bad-wavelength': {
    en: 'The wavelength is {{value}} Å. Please enter a number between {{min}} and {{max}} Å; Cu Kα is 1.54184.',
    zh: '波长为 {{value}} Å。请输入 {{min}} 到 {{max}} Å 之间的数；Cu Kα 为 1.54184。',
  },
  'material.no-given-cell': {
    en: 'Of material {{id}} only the standardised cells are stored, not the structure as its source gave it. Ask for cell=primitive or cell=conventional.',
    zh: '材料 {{id}} 只存有标准化晶胞，没有保留来源给出的原始结构。请使用 cell=primitive 或 cell=conventional。',
  },
  'material.shared-sites': {
    en: 'Material {{id}} has shared or partly empty sites, which this format cannot say. Take the CIF or the JSON.',
    zh: '材料 {{id}} 含有混合占据或部分占据的位点，该格式无法表示，请下载 CIF 或 JSON。',
  },
  'material.too-many-reflections': {
    en: 'This crystal has about {{count}} reflections at this wavelength; at most {{limit}} are calculated. Please take a wavelength of at least {{shortest}} Å.',
    zh: '该晶体在此波长下约有 {{count}} 个衍射峰，最多计算 {{limit}} 个。请将波长设为至少 {{shortest}} Å。',
  },
  'material.no-scattering-factor': {
    en: 'There is no X-ray scattering factor of {{element}}: patterns are calculated for elements from H to Cf.',
    zh: '没有 {{element}} 的 X 射线散射因子：仅能计算含 H 到 Cf 元素的衍射图谱。',
  },
  'material.no-pattern': {
    en: 'The pattern of this crystal cannot be calculated: its cell has no volume, or a coordinate is not a number.',
    zh: '无法计算该晶体的衍射图谱：晶胞没有体积，或某个坐标不是有效数字。',
  },
  'xrd.bad-size': {
    en: 'The particle size is {{value}} nm. Please enter a number between {{min}} and {{max}} nm.',
    zh: '晶粒尺寸为 {{value}} nm。请输入 {{min}} 到 {{max}} nm 之间的数。',
  },
} as const satisfies MessageTable;
