/** The pages of the documentation in the order of reading. A page has the same place in both languages. */
import { existsSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

export type Language = 'en' | 'zh';
type Text = readonly [en: string, zh: string];

interface Section {
  readonly folder: string;
  readonly title: Text;
  readonly pages: readonly (readonly [file: string, ...title: Text])[];
}

const SECTIONS: readonly Section[] = [
  {
    folder: 'guide',
    title: ['User guide', '使用指南'],
    pages: [
      ['index', 'What you can do', '能做什么'],
      ['search', 'Search', '检索'],
      ['screening', 'Screening', '筛选'],
      ['material', 'The page of a material', '材料页面'],
      ['collections', 'Collections and comparison', '收藏与比较'],
      ['phase-diagram', 'Phase diagrams', '相图'],
      ['windows', 'Electrochemical windows', '电化学窗口'],
      ['electrodes', 'Electrodes', '电极'],
      ['interface', 'Interface reactions', '界面反应'],
      ['coatings', 'Coatings between two phases', '两相之间的涂层'],
      ['reaction', 'Reactions at temperature', '给定温度下的反应'],
      ['pourbaix', 'Pourbaix diagrams', 'Pourbaix 图'],
      ['stability', 'One system, all diagrams', '一个体系的全部图'],
      ['xrd', 'X-ray pattern matching', 'X 射线图谱匹配'],
      ['tight-binding', 'Tight-binding bands', '紧束缚能带'],
      ['predict', 'Predict', '预测'],
      ['design', 'Design', '设计'],
      ['run4u', 'Run4U', 'Run4U 计算'],
      ['energies', 'Energy scales, completeness, errors', '能量基准、完备性与误差'],
      ['sharing', 'Keyboard, sharing, citing', '键盘、分享与引用'],
      ['examples', 'Ten worked examples', '十个实例'],
    ],
  },
  {
    folder: 'methods',
    title: ['Methods', '方法'],
    pages: [
      ['phase-equilibria', 'Phase equilibria', '相平衡'],
      ['electrodes', 'Electrodes', '电极'],
      ['thermochemistry', 'Gases, reactions, Ellingham', '气体、反应与 Ellingham 图'],
      ['coatings', 'Coatings', '涂层'],
      ['pourbaix', 'Pourbaix diagrams', 'Pourbaix 图'],
      ['symmetry', 'Symmetry', '对称性'],
      ['similar-structures', 'Similar structures', '相似结构'],
      ['xrd-patterns', 'Powder patterns', '粉末衍射图'],
      ['xrd-matching', 'Pattern matching', '图谱匹配'],
      ['xrd-refinement', 'Pattern refinement', '图谱精修'],
      ['tensors', 'Tensors', '张量'],
      ['tight-binding', 'Tight binding', '紧束缚'],
      ['nets', 'Plane nets', '平面网'],
      ['prediction', 'Prediction', '预测'],
      ['potential', 'Interatomic potential', '原子间势'],
      ['potential-crystals', 'The potential against measurements', '原子间势与实测值'],
      ['phonons', 'Phonons', '声子'],
      ['design', 'Design', '设计'],
      ['engines', 'First-principles engines', '第一性原理引擎'],
      ['crystal-io', 'Structure files', '结构文件'],
    ],
  },
  {
    folder: 'api',
    title: ['API', 'API'],
    pages: [
      ['index', 'Quick starts', '快速上手'],
      ['guide', 'Calls, limits, files', '调用、限额与文件'],
      ['calculate', 'Calculate without a site', '无需网站的计算'],
      ['python', 'Python', 'Python'],
      ['typescript', 'TypeScript', 'TypeScript'],
    ],
  },
  {
    folder: 'operating',
    title: ['Operating', '运维'],
    pages: [
      ['install', 'Install', '安装'],
      ['docker', 'Docker', 'Docker'],
      ['upgrade', 'Upgrade', '升级'],
      ['backup', 'Backup', '备份'],
      ['sign-in', 'Sign-in', '登录'],
      ['monitoring', 'Monitoring', '监控'],
      ['cluster', 'Run4U on a cluster', '集群上的 Run4U'],
      ['importing', 'Importing', '导入'],
      ['import-format', 'Import format', '导入格式'],
      ['seed', 'The seed', '种子数据'],
      ['scaling', 'Large catalogues', '大规模数据'],
      ['operations', 'Commands and settings', '命令与设置'],
      ['security', 'Security', '安全'],
      ['reliability', 'Reliability', '可靠性'],
      ['troubleshooting', 'Troubleshooting', '故障排除'],
    ],
  },
  {
    folder: 'contributing',
    title: ['Contributing', '参与开发'],
    pages: [
      ['architecture', 'Architecture', '架构'],
      ['adding-a-property', 'Adding a property', '添加性质'],
      ['adding-a-tool', 'Adding a tool', '添加工具'],
      ['adding-an-engine', 'Adding an engine', '添加引擎'],
      ['design-language', 'Design language', '设计语言'],
      ['glossary', 'Glossary', '术语表'],
      ['benchmarks', 'Benchmarks', '性能基准'],
      ['adr/index', 'Decisions', '设计决策'],
    ],
  },
];

const docs = new URL('..', import.meta.url);
const inLanguage = ([en, zh]: Text, language: Language) => (language === 'zh' ? zh : en);

/** The address of a page; pages without a Chinese version link to the English version. */
function linkTo(language: Language, path: string): string {
  const inChinese = language === 'zh' && existsSync(new URL(`zh/${path}.md`, docs));
  return `${inChinese ? '/zh' : ''}/${path.replace(/index$/, '')}`;
}

const writtenPages = ({ folder, pages }: Section, language: Language) =>
  pages
    .filter(([file]) => existsSync(new URL(`${folder}/${file}.md`, docs)))
    .map(([file, ...title]) => ({
      text: inLanguage(title, language),
      link: linkTo(language, `${folder}/${file}`),
    }));

/** The sections in the navigation bar. */
export const navigation = (language: Language): DefaultTheme.NavItem[] =>
  SECTIONS.map((section) => ({
    text: inLanguage(section.title, language),
    link: writtenPages(section, language)[0]?.link ?? '/',
    activeMatch: `/${section.folder}/`,
  }));

/** The sidebar: the pages of the current section. */
export const sections = (language: Language): DefaultTheme.SidebarMulti =>
  Object.fromEntries(
    SECTIONS.map((section) => [
      `${language === 'zh' ? '/zh' : ''}/${section.folder}/`,
      [{ text: inLanguage(section.title, language), items: writtenPages(section, language) }],
    ]),
  );
