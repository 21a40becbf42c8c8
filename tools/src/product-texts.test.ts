/** Texts of the product: each has both languages with the same placeholders and consistent terms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Text {
  readonly place: string;
  readonly en: string;
  readonly zh: string;
}

/** English terms of the field and their Chinese equivalents; docs/contributing/glossary.md explains them. */
const TERMS = `
  band gap = 带隙; band structure = 能带; density of states = 态密度; Brillouin zone = 布里渊区; chemical system = 化学体系
  conventional cell = 惯用晶胞; primitive cell = 原胞; structure as given = 原始结构; space group = 空间群; point group = 点群
  crystal system = 晶系; Wyckoff = Wyckoff; occupancy = 占据率; symprec = 对称容差; formation energy = 形成能
  total energy = 总能; hull = 凸包; energy above hull = 高于凸包的能量 or 高于凸包; energy scale = 能量基准; phase diagram = 相图
  electrochemical window = 电化学窗口; reduction onset = 还原起始电位; oxidation onset = 氧化起始电位; working ion = 工作离子
  interface reaction = 界面反应; reactant = 反应物; grand potential = 巨势; driving force = 驱动力; chemical potential = 化学势
  powder pattern = 粉末衍射图谱; reflection = 衍射峰; wavelength = 波长; radiation source = 辐射源; particle size = 晶粒尺寸
  DTW = 动态时间规整; tensor = 张量; bulk modulus = 体积模量; shear modulus = 剪切模量; screening = 筛选; facet = 分面计数
  saved search = 保存的检索; search = 检索; heat map = 热图; prediction interval = 区间; engine = 引擎; executor = 执行器
  operator = 运营者; administrator = 管理员; licence = 许可; observed = 实验已知
`;
/** Words that Chinese texts must not contain, because another word is used for the same thing. */
const NEVER = `
  占位度 占有率 生成能 总能量 凸包上能量 凸包以上 能量标度 能量标尺 还原极限 氧化极限 最强反应 衍射谱 反射 体模量 切变模量 Struct_id 搜索 已有实物
`;

/** Every `{ en, zh }` inside a value. */
function textsIn(value: unknown, place: string): Text[] {
  if (typeof value !== 'object' || value === null) return [];
  const { en, zh } = value as { en?: unknown; zh?: unknown };
  if (typeof en === 'string' && typeof zh === 'string') return [{ place, en, zh }];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${place}.${key}`));
}

async function loadAll(folder: string, isWanted: (path: string) => boolean): Promise<unknown[]> {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return Promise.all(
    paths.filter(isWanted).map((path): Promise<unknown> => import(join(ROOT, folder, path))),
  );
}

/** The texts registered by the features of the web client. */
async function webTexts(): Promise<Text[]> {
  await loadAll('apps/web/src', (path) => path.endsWith('texts.ts'));
  const { i18next } = (await import(join(ROOT, 'apps/web/src/i18n/i18n.ts'))) as {
    i18next: { getDataByLanguage: (language: string) => Record<string, Record<string, string>> };
  };
  const [english, chinese] = [i18next.getDataByLanguage('en'), i18next.getDataByLanguage('zh')];
  return Object.entries(english).flatMap(([namespace, texts]) =>
    Object.entries(texts).map(([key, en]): Text => {
      const zh = chinese[namespace];
      return {
        place: `${namespace}.${key}`,
        en,
        zh: zh?.[key] ?? zh?.[key.replace(/_one$/, '_other')] ?? '',
      };
    }),
  );
}

const texts: readonly Text[] = [
  ...(await webTexts()),
  ...(await loadAll('apps/api/src/messages/groups', () => true)).flatMap((group) => textsIn(group, 'api')),
  ...textsIn(await import(join(ROOT, 'packages/material/src/fields/fields.ts')), 'fields'),
  ...textsIn(await import(join(ROOT, 'apps/web/src/app/pages.ts')), 'pages'),
];

/** Chinese public pages as installed. */
const contents: readonly Text[] = readdirSync(join(ROOT, 'seed-data/content/zh')).map((name) => ({
  place: name,
  en: '',
  zh: readFileSync(join(ROOT, 'seed-data/content/zh', name), 'utf8'),
}));

/** The text without placeholders, whose names are not words of the text. */
const spoken = (text: string): string => text.replaceAll(/\{\{?\w+\}?\}|`[^`]*`/g, '□');

describe('texts in two languages', () => {
  it('are complete', () => {
    expect(texts.length).toBeGreaterThan(1500);
    expect(texts.filter(({ zh }) => zh === '')).toEqual([]);
  });

  it('have the same placeholders', () => {
    const values = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join();
    const differing = texts.filter(
      ({ en, zh, place }) =>
        en !== '{{message}}' && !place.includes('_one') && values(en) !== values(zh) && !/count/.test(en),
    );
    expect(differing).toEqual([]);
  });

  it.each(TERMS.trim().split(/;\s+|\n\s+/))('%s', (entry) => {
    const [term = '', words = ''] = entry.split(' = ');
    const stem = term.replaceAll(' ', '[ -]').replace(/y$/, '(?:y|ie)');
    const named = new RegExp(`\\b${stem}s?\\b`, 'i');
    const otherwise = texts.filter(
      ({ en, zh }) => named.test(spoken(en)) && !words.split(' or ').some((word) => zh.includes(word)),
    );
    expect(otherwise).toEqual([]);
  });

  it.each(NEVER.trim().split(/\s+/))('the word %s is never used', (word) => {
    const wrong = [...texts, ...contents].filter(({ zh }) => zh.includes(word));
    expect(wrong.map(({ place, zh }) => [place, zh.slice(0, 200)])).toEqual([]);
  });
});

it('the home page counts band structures, not bands', () => {
  expect(texts.find(({ place }) => place === 'about.band_structures')?.zh).toBe('个能带结构');
});
