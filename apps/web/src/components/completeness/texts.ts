import { defineTexts } from '../../i18n/texts.ts';

export const completenessTexts = defineTexts('completeness', {
  en: {
    complete: '{{system}} is complete on this scale',
    completeMeans:
      'Every compound known to be stable on this scale in {{system}} and the systems inside it is in the database.',
    notKnown: 'Whether {{system}} is complete is not known',
    notKnownMeans:
      'No list of the compounds that are stable on this scale is held here, so compounds may be missing without a word. Windows would then be narrower, energies above the hull higher and reactions stronger.',
    incomplete: 'Not complete, missing: ',
    separator: '; ',
    inFigure: '{{scale}} · not complete',
    more: 'and {{n}} more',
    marginal: 'stable by less than 5 meV/atom',
    deeperForm: 'its deepest form',
    heldAbove: 'its deepest form: the one here lies {{meV}} meV/atom above it',
    window: 'the oxidation onset is an upper bound, the reduction onset a lower bound',
    reductionOnly: 'the reduction onset is a lower bound',
    windowEither: 'the onsets may lie elsewhere',
    hull: 'energies above the hull are lower bounds',
    hullOne: 'the energy above the hull is a lower bound',
    reaction: 'the reaction releases at least this much energy',
    reactionEither: 'the reaction may release more or less energy',
    windowMeans:
      'A missing compound can only take from the window: the real one is at most this wide, and the material may not be stable at all.',
    windowEitherMeans:
      'The material is not on the hull. The onsets are those of what it decomposes into, and a missing compound may move them either way.',
    hullMeans:
      'A missing compound can only lower the hull: what is shown as stable may not be, and what is unstable is so by at least as much.',
    reactionMeans:
      'A missing compound can only be one more product: the mixture gains at least as much energy as shown.',
    reactionEitherMeans:
      'A missing compound lowers the energy of the products and of a reactant taken at the energy of the hull: the difference may change either way.',
    known: 'Known to be stable on this scale, but not in this database:',
    source: 'Compared with: {{source}}',
    how: 'To complete it the operator imports one entry of each, with its energy on this scale.',
    rowsIncomplete_one: '{{n}} window stands on a system that is not complete: its onsets carry ≥ and ≤.',
    rowsIncomplete_other: '{{n}} windows stand on systems that are not complete: their onsets carry ≥ and ≤.',
    rowsNotKnown: 'Which compounds are stable on this scale is not known here: windows may be too wide.',
    materialsIncomplete_one:
      '{{n}} row stands on a system that is not complete: its energy above the hull carries ≥.',
    materialsIncomplete_other:
      '{{n}} rows stand on systems that are not complete: their energies above the hull carry ≥.',
    materialsNotKnown:
      'Which compounds are stable on this scale is not known here: energies above the hull may be too low.',
    missingColumn: 'Missing compounds',
    missingTitle: 'Not complete, missing: {{missing}}',
  },
  zh: {
    complete: '{{system}} 在此能量基准上完备',
    completeMeans: '{{system}} 及其子体系中，已知在此能量基准上稳定的化合物都已收录。',
    notKnown: '{{system}} 是否完备尚不清楚',
    notKnownMeans:
      '本站没有此能量基准上稳定化合物的清单，可能缺少某些相而无从提示。若有缺失，实际窗口更窄、高于凸包的能量更大、反应更强。',
    incomplete: '不完备，缺少：',
    separator: '；',
    inFigure: '{{scale}} · 不完备',
    more: '等另外 {{n}} 种',
    marginal: '稳定裕度不足 5 meV/atom',
    deeperForm: '能量最低的形式',
    heldAbove: '能量最低的形式：已收录的形式比它高 {{meV}} meV/atom',
    window: '氧化起始电位是上限，还原起始电位是下限',
    reductionOnly: '还原起始电位是下限',
    windowEither: '两个起始电位都可能有偏差',
    hull: '高于凸包的能量是下限',
    hullOne: '高于凸包的能量是下限',
    reaction: '反应至少释放这么多能量',
    reactionEither: '反应释放的能量可能更多或更少',
    windowMeans: '缺少的化合物只会使窗口变窄：实际窗口至多这么宽，材料本身也可能不稳定。',
    windowEitherMeans: '该材料不在凸包上，两个起始电位属于其分解产物；缺少的化合物可能使它们向任一方向移动。',
    hullMeans: '缺少的化合物只会使凸包更低：显示为稳定的相未必稳定，不稳定的相至少如此不稳定。',
    reactionMeans: '缺少的化合物只会增加一种可能的产物：混合物释放的能量至少如所示。',
    reactionEitherMeans:
      '缺少的化合物会降低产物的能量，也会降低取自凸包的反应物的能量：差值可能向任一方向变化。',
    known: '已知在此能量基准上稳定，但未收录：',
    source: '对照：{{source}}',
    how: '要补全，请运营者各导入一个带有此能量基准能量的条目。',
    rowsIncomplete_other: '{{n}} 个窗口所在体系不完备：其起始电位标有 ≥ 和 ≤。',
    rowsNotKnown: '此能量基准上有哪些稳定化合物尚不清楚：窗口可能偏宽。',
    materialsIncomplete_other: '{{n}} 行所在体系不完备：其高于凸包的能量标有 ≥。',
    materialsNotKnown: '此能量基准上有哪些稳定化合物尚不清楚：高于凸包的能量可能偏小。',
    missingColumn: '缺少的化合物',
    missingTitle: '不完备，缺少：{{missing}}',
  },
});
