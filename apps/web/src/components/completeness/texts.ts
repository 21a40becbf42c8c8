import { defineTexts } from '../../i18n/texts.ts';

export const completenessTexts = defineTexts('completeness', {
  en: {
    complete: 'All known stable {{system}} phases are included',
    completeMeans:
      'Every compound known to be stable on this scale in {{system}} and its subsystems is in the database.',
    notKnown: 'It is not known whether {{system}} is complete',
    notKnownMeans:
      'This site has no list of the compounds that are stable on this scale, so compounds may be missing. Windows would then be narrower, energies above the hull higher and reactions stronger.',
    incomplete: 'Incomplete, missing: ',
    lacks: 'Known stable {{system}} phases that are not in this database: {{missing}}',
    separator: '; ',
    inFigure: '{{scale}} · incomplete',
    more: 'and {{n}} more',
    marginal: 'stable by less than 5 meV/atom',
    deeperForm: 'its lowest-energy form',
    heldAbove: 'its lowest-energy form: the one here is {{meV}} meV/atom higher',
    window: 'the oxidation onset is an upper bound, the reduction onset a lower bound',
    reductionOnly: 'the reduction onset is a lower bound',
    windowEither: 'the onsets may be off either way',
    hull: 'energies above the hull are lower bounds',
    hullOne: 'the energy above the hull is a lower bound',
    reaction: 'the reaction releases at least this much energy',
    reactionEither: 'the reaction may release more or less energy',
    windowMeans:
      'A missing compound can only narrow the window: the real one is at most this wide, and the material may not be stable at all.',
    windowEitherMeans:
      'The material is not on the hull. The onsets are those of its decomposition products, and a missing compound may move them either way.',
    hullMeans:
      'A missing compound can only lower the hull: phases shown as stable may be unstable, and unstable ones are at least this unstable.',
    reactionMeans:
      'A missing compound can only add a product: the reaction releases at least this much energy.',
    reactionEitherMeans:
      'A missing compound lowers the energy of the products and of reactants taken at the hull: the difference may change either way.',
    known: 'Known to be stable on this scale, but not in this database:',
    source: 'Compared with: {{source}}',
    how: 'To complete it, an administrator imports one entry of each, with its energy on this scale.',
    rowsIncomplete_one: '{{n}} window is in an incomplete system; its onsets are bounds (≥, ≤).',
    rowsIncomplete_other: '{{n}} windows are in incomplete systems; their onsets are bounds (≥, ≤).',
    rowsNotKnown: 'It is not known which compounds are stable on this scale: windows may be too wide.',
    materialsIncomplete_one:
      '{{n}} result is in an incomplete system; its energy above the hull is a lower bound (≥).',
    materialsIncomplete_other:
      '{{n}} results are in incomplete systems; their energies above the hull are lower bounds (≥).',
    materialsNotKnown:
      'It is not known which compounds are stable on this scale: energies above the hull may be too low.',
    missingColumn: 'Missing compounds',
    missingTitle: 'Incomplete, missing: {{missing}}',
  },
  zh: {
    complete: '已收录 {{system}} 体系全部已知稳定相',
    completeMeans: '{{system}} 及其子体系中，已知在此能量基准上稳定的化合物都已收录。',
    notKnown: '{{system}} 是否完备尚不清楚',
    notKnownMeans:
      '本站没有此能量基准上稳定化合物的清单，可能缺少某些相而无从提示。若有缺失，实际窗口更窄、高于凸包的能量更大、反应更强。',
    incomplete: '不完备，缺少：',
    lacks: '本库未收录的 {{system}} 体系已知稳定相：{{missing}}',
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
    how: '要补全，请管理员各导入一个带有此能量基准能量的条目。',
    rowsIncomplete_other: '{{n}} 个窗口所在体系不完备：其起始电位标有 ≥ 和 ≤。',
    rowsNotKnown: '此能量基准上有哪些稳定化合物尚不清楚：窗口可能偏宽。',
    materialsIncomplete_other: '{{n}} 行所在体系不完备：其高于凸包的能量标有 ≥。',
    materialsNotKnown: '此能量基准上有哪些稳定化合物尚不清楚：高于凸包的能量可能偏小。',
    missingColumn: '缺少的化合物',
    missingTitle: '不完备，缺少：{{missing}}',
  },
});
