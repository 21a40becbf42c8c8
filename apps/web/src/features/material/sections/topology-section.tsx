/** Topological Data: the table of spec §2.8, at most 450 px high. */
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../../components/failure.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { formatText, MISSING } from '../../../lib/format.ts';
import { topologyRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { SourcedSection } from './sourced-section.tsx';

/** Chinese for classes, invariants and features of the topological table; other words of the data stay unchanged. */
const CHINESE: ReadonlyMap<string, string> = new Map([
  ['included', '已考虑'],
  ['not included', '未考虑'],
  ['trivial', '拓扑平庸'],
  ['trivial at ambient pressure', '常压下拓扑平庸'],
  ['topological insulator', '拓扑绝缘体'],
  ['topological insulator class', '拓扑绝缘体类'],
  ['topological insulator at a strong–weak boundary', '处于强弱边界的拓扑绝缘体'],
  ['strong topological insulator', '强拓扑绝缘体'],
  ['strong topological insulator class (semimetal)', '强拓扑绝缘体类（半金属）'],
  ['antiferromagnetic topological insulator', '反铁磁拓扑绝缘体'],
  ['topological crystalline insulator', '拓扑晶体绝缘体'],
  ['topological crystalline insulator class', '拓扑晶体绝缘体类'],
  ['topological crystalline class (metal)', '拓扑晶体类（金属）'],
  ['higher-order topological class', '高阶拓扑类'],
  ['higher-order topological insulator class', '高阶拓扑绝缘体类'],
  ['topological semimetal (strong Z2 class)', '拓扑半金属（强 Z2 类）'],
  ['(semi)metal with enforced band crossing', '具有强制能带交叉的（半）金属'],
  ['Weyl semimetal', '外尔半金属'],
  ['magnetic Weyl semimetal', '磁性外尔半金属'],
  ['type-II Weyl semimetal', '第二类外尔半金属'],
  ['Dirac semimetal', '狄拉克半金属'],
  ['type-II Dirac semimetal', '第二类狄拉克半金属'],
  ['nodal-line semimetal', '节线半金属'],
  ['magnetic nodal-line semimetal', '磁性节线半金属'],
  ['chiral multifold semimetal', '手性多重简并半金属'],
  ['zero-gap semiconductor, inverted bands', '零带隙半导体，能带反转'],
  ['zero-gap half-Heusler, inverted bands', '零带隙半赫斯勒合金，能带反转'],
  ['4 Weyl points', '4 个外尔点'],
  ['6 Weyl points', '6 个外尔点'],
  ['8 Weyl points', '8 个外尔点'],
  ['24 Weyl points', '24 个外尔点'],
  ['2 Dirac points on Γ–A', 'Γ–A 上 2 个狄拉克点'],
  ['2 Dirac points on Γ–Z', 'Γ–Z 上 2 个狄拉克点'],
  ['Dirac points on Γ–A', 'Γ–A 上的狄拉克点'],
  ['Z2 = 1 under strain', '应变下 Z2 = 1'],
  ['Z2 (S-symmetry) = 1', 'Z2（S 对称性）= 1'],
  ['mirror Chern number |n_M| = 2', '镜面陈数 |n_M| = 2'],
  ['Chern number ±4', '陈数 ±4'],
  ['Chern number ±2 (Γ, without SOC), ±4 with spin', '陈数 ±2（Γ，不计自旋轨道耦合），计入自旋为 ±4'],
  ['band inversion at L', 'L 点能带反转'],
  ['band inversion at X', 'X 点能带反转'],
  ['Γ8 above Γ6', 'Γ8 高于 Γ6'],
  ['single Dirac cone at Γ̄', 'Γ̄ 处单个狄拉克锥'],
  ['single Dirac cone at Γ̄ of the (111) surface', '(111) 表面 Γ̄ 处单个狄拉克锥'],
  ['even number of surface Dirac cones, protected by {110} mirrors', '偶数个表面狄拉克锥，受 {110} 镜面保护'],
  ['tilted Dirac cone', '倾斜的狄拉克锥'],
  ['tilted Dirac cone, superconductor below 1.7 K', '倾斜的狄拉克锥，1.7 K 以下为超导体'],
  ['tilted cones touching electron and hole pockets', '倾斜锥与电子、空穴口袋相接'],
  ['Dirac nodal lines', '狄拉克节线'],
  ['Dirac nodal line, small gap with SOC', '狄拉克节线，计入自旋轨道耦合后有小带隙'],
  ['drumhead surface states', '鼓面表面态'],
  ['helical hinge modes', '螺旋棱态'],
  ['8 W1 and 16 W2 nodes; Fermi arcs on (001)', '8 个 W1 与 16 个 W2 节点；(001) 面上有费米弧'],
  ['long Fermi arcs from Γ̄ to M̄', '由 Γ̄ 至 M̄ 的长费米弧'],
  ['sixfold and fourfold crossings', '六重与四重交叉'],
  ['protected by the threefold axis', '受三重轴保护'],
  ['protected by the fourfold axis', '受四重轴保护'],
  ['quantum spin Hall effect in quantum wells', '量子阱中的量子自旋霍尔效应'],
  ['large-gap quantum spin Hall layers', '大带隙量子自旋霍尔层'],
  ['giant Rashba splitting; topological under pressure', '巨大的 Rashba 劈裂；加压后为拓扑相'],
  ['ferromagnet, giant anomalous Hall effect', '铁磁体，巨大的反常霍尔效应'],
  ['below T_N = 25 K; time reversal times half translation', 'T_N = 25 K 以下；时间反演与半格平移之积'],
  ['minimal number with time reversal', '有时间反演时的最少个数'],
  ['bulk-insulating tetradymite', '体绝缘的辉碲铋矿型'],
  ['tetradymite', '辉碲铋矿型'],
  ['TaAs family', 'TaAs 族'],
  ['1T′ phase', '1T′ 相'],
]);

export const topologyWord = (value: string, language: 'zh' | 'en'): string =>
  language === 'zh' ? (CHINESE.get(value) ?? value) : value;

const topologyTexts = defineTexts('material-topology', {
  lead: ['Topological class of the band structure.', '能带结构的拓扑分类。'],
  class: ['Class', '拓扑类别'],
  soc: ['Spin–orbit coupling', '自旋轨道耦合'],
  indicator: ['Indicator', '指标'],
  invariant: ['Invariant', '不变量'],
  feature: ['Feature', '特征'],
  source: ['Source', '来源'],
});

const COLUMNS = {
  Class: 'class',
  'Spin-orbit coupling': 'soc',
  Indicator: 'indicator',
  'Symmetry indicator': 'indicator',
  Invariant: 'invariant',
  Feature: 'feature',
  Source: 'source',
} as const;

/** Key of a column's translated name; null for names without a translation. */
export const columnKey = (label: string): (typeof COLUMNS)[keyof typeof COLUMNS] | null =>
  Object.hasOwn(COLUMNS, label) ? COLUMNS[label as keyof typeof COLUMNS] : null;

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return MISSING;
  return typeof value === 'string' ? formatText(value) : JSON.stringify(value);
}

export const hasTopology = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'is_topo_display' in answer &&
  answer.is_topo_display === true;

const title = { en: 'Topological Data', zh: '拓扑数据' };

function TopologySection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(topologyTexts);
  const topology = useQuery(topologyRequest(String(material.struct_id)));
  const heading = (label: string): string => {
    const key = columnKey(label);
    return key === null ? label : t(key);
  };
  return (
    <SourcedSection
      material={material}
      of={['topology']}
      id="topology"
      title={title[language]}
      lead={
        <>
          {t('lead')} <HowItWorks guide="material#topology" />
        </>
      }
    >
      {topology.isError && <ErrorPanel error={topology.error} onRetry={() => void topology.refetch()} />}
      {topology.data && (
        <div className={classes.topologyScroll}>
          <table className={`uc-table ${classes.topologyTable}`}>
            <thead>
              <tr>
                {topology.data.labels.map((label) => (
                  <th key={label} scope="col">
                    {heading(label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {topology.data.topo_data_web.map((row) => (
                <tr key={JSON.stringify(row)}>
                  {topology.data.labels.map((label) => (
                    <td key={label}>{topologyWord(cellText(row[label]), language)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </SourcedSection>
  );
}

export const topologySection: MaterialSection = {
  id: 'topology',
  title,
  isPresent: (_, answer) => answer?.isError === true || hasTopology(answer?.data),
  Component: TopologySection,
};
