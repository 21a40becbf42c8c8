/**
 * Every page of the site, one entry each. Routes, the navigation bar, page titles, the navigation guard and robots.txt
 * are derived from this list, so a page that is not here does not exist and a page that is here is reachable.
 */
import type { Bilingual } from '@unitcell/material';

export interface SitePage {
  /** Route pattern of react-router; spec §2.1 lists all. */
  readonly path: string;
  /** An address that shows seed data, for tests of all pages; default: the path. */
  readonly example?: string;
  /**
   * True for a page that is shown without a token. Other pages send such a visitor to / and open the login
   * popup.
   */
  readonly isPublic?: true;
  /** Group of the navigation bar that lists the page. */
  readonly nav?: 'apps' | 'about';
  readonly title: Bilingual;
  /** One line under the name in the Apps menu. */
  readonly hint?: Bilingual;
  /**
   * Name of the file that exports `Page`, without its extension. It is in a feature, or in `pages/` if the page
   * combines features. The build fails if the file does not exist.
   */
  readonly module: string;
}

export const pages: readonly SitePage[] = [
  {
    path: '/',
    isPublic: true,
    title: { en: 'Unitcell: a materials database', zh: 'Unitcell 无机晶体材料数据库' },
    module: 'home-page',
  },
  {
    path: '/matdata',
    example: '/matdata?q=Ti-O',
    nav: 'apps',
    title: { en: 'MatData', zh: '材料数据' },
    hint: { en: 'Search crystals by elements, formula or ID', zh: '按元素、化学式或编号检索晶体' },
    module: 'matdata-page',
  },
  {
    path: '/matdata/compare',
    example: '/matdata/compare?ids=142,134',
    title: { en: 'Compare materials', zh: '材料对比' },
    module: 'compare-page',
  },
  {
    path: '/collections',
    title: { en: 'Collections', zh: '收藏夹' },
    module: 'collections-page',
  },
  {
    path: '/collections/:id',
    title: { en: 'Collection', zh: '收藏夹' },
    module: 'collection-page',
  },
  {
    path: '/collections/shared/:key',
    title: { en: 'Shared collection', zh: '共享收藏夹' },
    module: 'collection-page',
  },
  {
    path: '/matdatades/:id',
    title: { en: 'Material', zh: '材料详情' },
    module: 'material-page',
  },
  {
    path: '/run4u',
    nav: 'apps',
    title: { en: 'Run4U', zh: 'Run4U' },
    hint: { en: 'Submit a structure for a DFT calculation', zh: '上传结构，进行第一性原理计算' },
    module: 'run4u-page',
  },
  {
    path: '/phase',
    example: '/phase?q=Ti+O',
    nav: 'apps',
    title: { en: 'PhaseDiagram', zh: '相图' },
    hint: { en: 'Stable phases between elements or compounds', zh: '元素或化合物之间的稳定相' },
    module: 'phase-page',
  },
  {
    path: '/xrd',
    example: '/xrd?sample',
    nav: 'apps',
    title: { en: 'XRD Matcher', zh: 'XRD 物相匹配' },
    hint: { en: 'Identify phases from a powder pattern', zh: '由实测粉末衍射图谱识别物相' },
    module: 'xrd-page',
  },
  {
    path: '/Ec_window',
    example: '/Ec_window?q=Ti-O&gap=0~9',
    nav: 'apps',
    title: { en: 'Electrochemical Window', zh: '电化学窗口' },
    hint: { en: 'Voltage range in which a material is stable', zh: '材料稳定的电压范围' },
    module: 'ecwindow-page',
  },
  {
    path: '/Ec_windowDetail/:id/:work_ion',
    title: { en: 'Electrochemical window of a material', zh: '材料的电化学窗口' },
    module: 'ecwindow-detail-page',
  },
  {
    path: '/electrodes',
    nav: 'apps',
    title: { en: 'Electrodes', zh: '电极' },
    hint: { en: 'Voltage and capacity of insertion electrodes', zh: '嵌入型电极的电压与容量' },
    module: 'electrodes-page',
  },
  {
    path: '/Interface_reaction',
    example: '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5',
    nav: 'apps',
    title: { en: 'Reactions', zh: '界面反应' },
    hint: { en: 'Reactions between two materials', zh: '两种材料接触后的反应' },
    module: 'interface-page',
  },
  {
    path: '/coatings',
    example: '/coatings?a=LiCoO2&b=Li3PS4&with=Li,O&gap=3',
    nav: 'apps',
    title: { en: 'Coatings', zh: '涂层' },
    hint: { en: 'What to put between two reacting phases', zh: '在两种会反应的物相之间放什么' },
    module: 'coatings-page',
  },
  {
    path: '/reaction',
    example: '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000',
    nav: 'apps',
    title: { en: 'Reaction calculator', zh: '反应计算器' },
    hint: { en: 'Balance, ΔH and ΔG at temperature and pressure', zh: '配平，指定温度与压力下的 ΔH 与 ΔG' },
    module: 'reaction-page',
  },
  {
    path: '/ellingham',
    nav: 'apps',
    title: { en: 'Ellingham diagram', zh: 'Ellingham 图' },
    hint: { en: 'Stability of oxides, sulfides, nitrides and more', zh: '氧化物、硫化物、氮化物等的稳定性' },
    module: 'ellingham-page',
  },
  {
    path: '/pourbaix',
    example: '/pourbaix?el=Ti',
    nav: 'apps',
    title: { en: 'Pourbaix diagram', zh: 'Pourbaix 图' },
    hint: { en: 'Stability in water by pH and potential', zh: '材料在水中的稳定性，随 pH 与电位变化' },
    module: 'pourbaix-page',
  },
  {
    path: '/stability',
    example: '/stability?q=Ti+O',
    nav: 'apps',
    title: { en: 'Stability', zh: '稳定性' },
    hint: { en: 'One chemical system in all diagrams', zh: '一个化学体系的全部稳定性图' },
    module: 'stability-page',
  },
  {
    path: '/predict',
    nav: 'apps',
    title: { en: 'Predict', zh: '性质预测' },
    hint: { en: 'Instant property predictions with uncertainties', zh: '即时预测晶体性质，并给出不确定度' },
    module: 'predict-page',
  },
  {
    path: '/predict/model',
    title: { en: 'Model card', zh: '模型卡' },
    module: 'model-card-page',
  },
  {
    path: '/design',
    nav: 'apps',
    title: { en: 'Design', zh: '材料设计' },
    hint: {
      en: 'New compounds from known prototypes, ranked by stability',
      zh: '由已知结构原型生成并排序新化合物',
    },
    module: 'design-page',
  },
  {
    path: '/account',
    title: { en: 'Account', zh: '个人中心' },
    module: 'account-page',
  },
  {
    path: '/operate',
    title: { en: 'Admin', zh: '管理后台' },
    module: 'operate-page',
  },
  {
    path: '/Tight_Binding',
    nav: 'apps',
    title: { en: 'Tight Binding', zh: '紧束缚模型' },
    hint: { en: 'Interactive bands of 2D lattices', zh: '二维晶格的交互式能带' },
    module: 'tight-binding-page',
  },
  {
    path: '/about',
    isPublic: true,
    nav: 'about',
    title: { en: 'Introduction', zh: '产品介绍' },
    module: 'about-page',
  },
  {
    path: '/unitcell',
    isPublic: true,
    title: { en: 'Introduction', zh: '产品介绍' },
    module: 'about-page',
  },
  { path: '/team', isPublic: true, nav: 'about', title: { en: 'Team', zh: '团队' }, module: 'about-page' },
  {
    path: '/milestone',
    isPublic: true,
    nav: 'about',
    title: { en: 'Milestones', zh: '里程碑' },
    module: 'about-page',
  },
  {
    path: '/advisory',
    isPublic: true,
    nav: 'about',
    title: { en: 'Advisory board', zh: '顾问委员会' },
    module: 'about-page',
  },
  {
    path: '/publication',
    isPublic: true,
    nav: 'about',
    title: { en: 'Publications', zh: '论文' },
    module: 'about-page',
  },
  {
    path: '/releases',
    isPublic: true,
    nav: 'about',
    title: { en: 'Data releases', zh: '数据发布' },
    module: 'releases-page',
  },
  {
    path: '/methods',
    isPublic: true,
    title: { en: 'Methods', zh: '方法' },
    module: 'methods-page',
  },
  {
    path: '/reference',
    isPublic: true,
    title: { en: 'API reference', zh: 'API 参考文档' },
    module: 'reference-page',
  },
  {
    path: '/protocal/user',
    isPublic: true,
    title: { en: 'User agreement', zh: '用户协议' },
    module: 'protocol-page',
  },
  {
    path: '/protocal/private',
    isPublic: true,
    title: { en: 'Privacy policy', zh: '隐私政策' },
    module: 'protocol-page',
  },
  {
    path: '*',
    example: '/there-is-nothing-here',
    title: { en: 'Page not found', zh: '页面不存在' },
    module: 'not-found-page',
  },
];

/** Pages that other sites may show in a frame, without bar and footer. */
export const framedPages: readonly SitePage[] = [
  {
    path: '/embed/material/:id',
    isPublic: true,
    title: { en: 'Material', zh: '材料' },
    module: 'embedded-material-page',
  },
  {
    path: '/embed/phase/:include',
    isPublic: true,
    title: { en: 'Phase diagram', zh: '相图' },
    module: 'embedded-diagram-page',
  },
];

export const navPages = (group: 'apps' | 'about'): readonly SitePage[] =>
  pages.filter((page) => page.nav === group);

const ROBOTS = `# The terms of use forbid automated access to the data and the tools; the public pages may be indexed.
# Programs are welcome at the API, with a key of the operator.
User-agent: *
`;

/** robots.txt closes the API and every page behind the login. */
export const robotsTxt = (): string => {
  const closed = pages.filter(({ isPublic, path }) => !isPublic && path !== '*');
  // A rule closes all addresses that begin with it, so the first part of an address is enough.
  const parts = new Set(closed.map(({ path }) => path.split('/')[1]));
  return ROBOTS + ['api/', ...parts].map((part) => `Disallow: /${part}\n`).join('');
};
