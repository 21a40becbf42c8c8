/** Sentences of sources in the language of the page: citations stay as they are, the words around them are translated. */
import type { Language } from '../../i18n/i18n.ts';

/** Longer ones first. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/as commonly quoted; the measurement was not looked up/g, '常引数值，未查证原始测量'],
  [/; read in a transcription of it/g, '；读自其转录'],
  [/, as given by: /g, '，引自：'],
  [/measured, recommended value/g, '实测，推荐值'],
  [/commonly quoted as (.*?), not looked up/g, '常引为 $1，未查证'],
  [/commonly quoted, not looked up/g, '常引数值，未查证'],
  [/measured, room temperature, handbook values/g, '室温实测，手册值'],
  [/measured near (\d+) K/g, '约 $1 K 实测'],
  [/^near (\d+) K$/g, '约 $1 K'],
  [/which names no polymorph/g, '未注明晶型'],
  [/given to the one stable at room temperature/g, '归于室温稳定的晶型'],
  [/coordinates idealised to three digits as known then/g, '坐标经理想化，为当时所知的三位有效数字'],
  [/layer thickness kept/g, '保持层厚'],
  [/cell and positions: /g, '晶胞与原子位置：'],
  [/; positions: /g, '；原子位置：'],
  [/\bcell: /g, '晶胞：'],
  [/literature, room temperature/g, '文献值，室温'],
  [/\bliterature\b/g, '文献值'],
  [/\broom temperature\b/g, '室温'],
  [/symmetry-indicator class: /g, '对称性指标分类：'],
  [/, list it as trivial/g, '，该表列为平庸'],
  [/IEEE axes and sign convention as published/g, 'IEEE 坐标轴，符号约定同原文'],
  [/computed for Unitcell/g, '为 Unitcell 计算'],
  [/^computed, /g, '计算，'],
  [/0 by definition of the standard state/g, '按标准态定义为 0'],
  [/0 by definition/g, '按定义为 0'],
  [/ by mp-id/g, '，按 mp 编号'],
  [/ by unique cell/g, '，按唯一晶胞'],
  [/ composition ground state/g, '，该成分的基态'],
  [/\(assumed polymorph\)/g, '（假定为此晶型）'],
];

export const statementIn = (statement: string, language: Language): string =>
  language === 'zh'
    ? PHRASES.reduce((text, [phrase, translation]) => text.replaceAll(phrase, translation), statement)
    : statement;
