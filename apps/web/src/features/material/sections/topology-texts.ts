import { defineTexts } from '../../../i18n/texts.ts';

export const topologyTexts = defineTexts('material-topology', {
  en: {
    lead: 'Topological class of the band structure.',
    class: 'Class',
    soc: 'Spin–orbit coupling',
    indicator: 'Indicator',
    invariant: 'Invariant',
    feature: 'Feature',
    source: 'Source',
  },
  zh: {
    lead: '能带结构的拓扑分类。',
    class: '拓扑类别',
    soc: '自旋轨道耦合',
    indicator: '指标',
    invariant: '不变量',
    feature: '特征',
    source: '来源',
  },
});
