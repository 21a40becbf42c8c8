/** Texts of the matdata calls. */
import type { CrystalReason, ReadNotice } from '@unitcell/crystal';
import type { SymmetryErrorCode } from '@unitcell/symmetry';
import type { MessageTable } from '../message-table.ts';

/** Assumptions and omissions of the structure file parser; the English text comes from the parser. */
export const readNotices = {
  'read.cif-no-data-line': {
    en: '{{message}}',
    zh: '文件没有 data_ 行，已按 CIF 读取。',
  },
  'read.cif-unread-hall-symbol': {
    en: '{{message}}',
    zh: '无法识别 Hall 符号“{{found}}”，已改用其他空间群符号。',
  },
  'read.cif-no-symmetry': {
    en: '{{message}}',
    zh: '文件未给出对称性：已按所列原子原样读取（P 1）。',
  },
  'read.cif-several-settings': {
    en: '{{message}}',
    zh: '空间群符号“{{found}}”有多种取向或原点，已采用“{{used}}”。',
  },
  'read.cif-dummy-left-out': {
    en: '{{message}}',
    zh: '原子 {{atom}} 是虚原子，已略去。',
  },
  'read.cif-no-coordinates-left-out': {
    en: '{{message}}',
    zh: '原子 {{atom}} 没有坐标，已略去。',
  },
  'read.cif-empty-left-out': {
    en: '{{message}}',
    zh: '原子 {{atom}} 的占据率为 0，已略去。',
  },
  'read.cif-other-formula': {
    en: '{{message}}',
    zh: '原子组成为 {{found}}，而文件声明为 {{declared}}。',
  },
  'read.atom-listed-twice': {
    en: '{{message}}',
    zh: '原子 {{atom}} 在同一位置列出两次，只取一次。',
  },
  'read.occupancies-scaled': {
    en: '{{message}}',
    zh: '{{site}} 处的占据率之和为 {{sum}}，已归一化：{{species}}。',
  },
  'read.moved-to-special-position': {
    en: '{{message}}',
    zh: '原子 {{atom}} 已移动 {{distance}} Å 至特殊位置。',
  },
  'read.poscar-names-differ': {
    en: '{{message}}',
    zh: '坐标后的元素名称与元素行不一致，已采用元素行。',
  },
} as const satisfies Record<`read.${ReadNotice['code']}`, MessageTable[string]>;

export const matdataMessages = {
  'embed.bad-key': {
    en: 'The key in this address is wrong or no longer valid. Copy the code for the frame again.',
    zh: '地址中的密钥不正确或已失效，请重新复制嵌入代码。',
  },
  'report.no-contact': {
    en: 'Sign in, or give an e-mail address where we can ask back.',
    zh: '请登录，或留下可供联系的电子邮箱。',
  },
  'report.too-many': {
    en: 'You have sent {{limit}} reports, which is the limit for a day. Please try again in {{minutes}} minutes.',
    zh: '您已发送 {{limit}} 份报告，达到一天的上限，请在 {{minutes}} 分钟后再试。',
  },
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
    en: 'Only the standardised cells of material {{id}} are stored, not the original structure of its source. Use cell=primitive or cell=conventional.',
    zh: '材料 {{id}} 只存有标准化晶胞，没有保留来源给出的原始结构。请使用 cell=primitive 或 cell=conventional。',
  },
  'material.shared-sites': {
    en: 'Material {{id}} has shared or partly occupied sites, which this format cannot represent. Use CIF or JSON.',
    zh: '材料 {{id}} 含有混合占据或部分占据的位点，该格式无法表示，请下载 CIF 或 JSON。',
  },
  'material.no-density': {
    en: 'No charge density of material {{id}} is kept here: Run4U keeps that of each calculation with ABINIT.',
    zh: '本站未保存材料 {{id}} 的电荷密度：Run4U 会保存每次 ABINIT 计算的电荷密度。',
  },
  'material.no-modes': {
    en: 'The modes of {{functional}} phonons of material {{id}} are not known at this wave vector: its source gives no force constants, and eigenvectors at most for named points.',
    zh: '材料 {{id}} 的 {{functional}} 声子在该波矢处的振动模式未知：来源未给出力常数，至多在命名点给出本征矢量。',
  },
  'material.too-many-reflections': {
    en: 'This crystal has about {{count}} reflections at this wavelength; at most {{limit}} are calculated. Please take a wavelength of at least {{shortest}} Å.',
    zh: '该晶体在此波长下约有 {{count}} 个衍射峰，最多计算 {{limit}} 个。请将波长设为至少 {{shortest}} Å。',
  },
  'material.no-scattering-factor': {
    en: 'There is no X-ray scattering factor of {{element}}: patterns are calculated for elements from H to Cf.',
    zh: '没有 {{element}} 的 X 射线散射因子：仅能计算含 H 到 Cf 元素的衍射图谱。',
  },
  'material.no-scattering-length': {
    en: 'There is no neutron scattering length of {{element}}.',
    zh: '没有 {{element}} 的中子散射长度。',
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

// Why a formula or a structure file is refused: the reasons of `@unitcell/crystal` and `@unitcell/symmetry`.
// They are nested in other messages (see NestedMessage). The English text is the package's own `message`; a
// position in a file is `line` and `column`.

const inEnglish = (zh: string) => ({ en: '{{message}}', zh }) as const;
const at = '第 {{line}} 行第 {{column}} 列：';
const formulaAt = '第 {{position}} 个字符处';

export const crystalMessages = {
  'crystal.formula-too-long': inEnglish('化学式有 {{length}} 个字符，最多 {{limit}} 个'),
  'crystal.formula-amount': inEnglish(`${formulaAt}的数量 {{found}} 不在 {{least}} 到 {{limit}} 之间`),
  'crystal.formula-too-many-atoms': inEnglish(`${formulaAt}：{{element}} 原子超过 {{limit}} 个`),
  'crystal.formula-element-expected': inEnglish(`${formulaAt}应为元素符号`),
  'crystal.formula-unknown-element': inEnglish(`${formulaAt}的“{{found}}”不是元素符号`),
  'crystal.formula-unopened-bracket': inEnglish(`${formulaAt}的“{{found}}”没有对应的左括号`),
  'crystal.formula-wrong-bracket': inEnglish(
    `${formulaAt}的“{{found}}”与第 {{opened}} 个字符处的左括号不匹配，应为“{{expected}}”`,
  ),
  'crystal.formula-empty-brackets': inEnglish(`${formulaAt}的括号为空`),
  'crystal.formula-dot-in-brackets': inEnglish(`${formulaAt}：括号内不能有点号`),
  'crystal.formula-unexpected': inEnglish(
    `${formulaAt}不应出现“{{found}}”：化学式由元素符号、数量和括号组成，例如 Li3PS4`,
  ),
  'crystal.formula-open-bracket': inEnglish(`${formulaAt}的括号没有闭合，缺少“{{expected}}”`),
  'crystal.text-too-long': inEnglish('文件有 {{length}} 个字符，最多 {{limit}} 个'),
  'crystal.empty-file': inEnglish('文件为空，应为 CIF 或 POSCAR'),
  'crystal.unknown-format': inEnglish(
    '既不是 CIF（没有以“data_”开头的行），也不是 POSCAR（第 2 行没有缩放系数）',
  ),
  'crystal.file-ends': inEnglish('文件在第 {{line}} 行结束，内容不完整'),
  'crystal.too-many-sites': inEnglish('原子位点过多，最多读取 {{limit}} 个'),
  'crystal.flat-cell': inEnglish(`${at}三个晶格矢量共面，晶胞没有体积`),
  'crystal.cell-in-plane': inEnglish('三个晶格矢量几乎共面，晶胞没有体积，请检查晶胞'),
  'crystal.too-many-neighbours': inEnglish(
    '{{cutoff}} Å 以内的原子对超过可计算的 {{limit}} 个，请检查晶胞边长和原子是否重叠',
  ),
  'crystal.cell-too-long': inEnglish(`${at}晶胞边长为 {{found}} Å，最多 {{limit}} Å`),
  'crystal.position-too-far': inEnglish(`${at}坐标偏离晶胞超过 {{limit}} 个周期`),
  'crystal.occupancy-sum': inEnglish('位点 {{site}} 的占据率之和为 {{sum}}，不应超过 1'),
  'crystal.poscar-missing-numbers': inEnglish(`${at}应有 {{expected}} 个数，实际只有 {{found}} 项`),
  'crystal.poscar-no-number': inEnglish(`${at}“{{found}}”不是数字`),
  'crystal.poscar-scale-count': inEnglish(
    `${at}缩放系数行有 {{found}} 个数，应为一个系数、一个负的体积或三个系数`,
  ),
  'crystal.poscar-scale-zero': inEnglish(`${at}缩放系数为 0，应为正数或负的体积`),
  'crystal.poscar-scale-negative': inEnglish(`${at}三个缩放系数中有负数，应均为正数`),
  'crystal.poscar-unknown-element': inEnglish(`${at}“{{found}}”不是元素，应为 Fe 或 Fe_pv 这样的符号`),
  'crystal.poscar-endless-elements': inEnglish(`${at}元素列表过长，没有结束`),
  'crystal.poscar-no-counts': inEnglish(`${at}此行为空，应为各元素的原子数`),
  'crystal.poscar-bad-count': inEnglish(`${at}“{{found}}”不是原子数，应为整数`),
  'crystal.poscar-counts-differ': inEnglish(
    `${at}有 {{elements}} 种元素，却有 {{counts}} 个原子数，应一一对应`,
  ),
  'crystal.poscar-no-atoms': inEnglish(`${at}原子数全部为 0`),
  'crystal.poscar-mode': inEnglish(`${at}此处为“{{found}}”，应为“Direct”或“Cartesian”`),
  'crystal.poscar-unnamed-elements': inEnglish(
    '文件没有元素名称（VASP 4 格式），请在原子数上方加一行元素符号',
  ),
  'crystal.cif-open-text': inEnglish(`${at}多行文本没有结束，应有以“;”开头的一行`),
  'crystal.cif-open-quotation': inEnglish(`${at}引号在本行内没有闭合`),
  'crystal.cif-incomplete-row': inEnglish(
    `${at}{{tag}} 所在的 loop 有 {{values}} 个值、{{columns}} 列，以“{{found}}”结尾的最后一行不完整`,
  ),
  'crystal.cif-too-many-operations': inEnglish('有 {{found}} 个对称操作，最多读取 {{limit}} 个'),
  'crystal.cif-bad-operation': inEnglish(
    `${at}对称操作“{{found}}”无法识别，应为“-y, x-y, z+1/3”这样的三个分量`,
  ),
  'crystal.cif-operation-misfit': inEnglish(
    `${at}对称操作“{{found}}”与晶胞不符（边长改变 {{percent}} %），请检查晶胞与对称性`,
  ),
  'crystal.cif-bad-hall-symbol': inEnglish(`${at}Hall 符号“{{found}}”无法识别`),
  'crystal.cif-hall-misfit': inEnglish(`${at}Hall 符号“{{found}}”与晶胞不符`),
  'crystal.cif-unknown-space-group': inEnglish(
    `${at}“{{found}}”不是空间群，应为“P 1 21/c 1”这样的符号、1 到 230 的编号，或对称操作列表`,
  ),
  'crystal.cif-space-group-misfit': inEnglish(
    `${at}空间群“{{found}}”的任何一种取向都与晶胞不符，请检查边长与夹角`,
  ),
  'crystal.cif-missing-value': inEnglish('数据块“{{block}}”缺少 {{tag}}，应为一个数'),
  'crystal.cif-no-number': inEnglish(`${at}{{tag}} 的值为“{{found}}”，应为一个数`),
  'crystal.cif-bad-cell': inEnglish(`${at}这些边长与夹角不能构成晶胞`),
  'crystal.cif-bad-coordinate': inEnglish(`${at}{{tag}} 的值为“{{found}}”，应为 ±{{limit}} 之间的数`),
  'crystal.cif-unnamed-atom': inEnglish(`${at}第 {{row}} 个原子既没有元素符号也没有标签`),
  'crystal.cif-unknown-element': inEnglish(`${at}原子“{{found}}”不对应任何元素，应为 Fe 或 Fe3+ 这样的符号`),
  'crystal.cif-bad-occupancy': inEnglish(`${at}占据率为“{{found}}”，应为 0 到 1 之间的数`),
  'crystal.cif-no-atoms': inEnglish('数据块“{{block}}”没有列出原子（缺少 _atom_site_fract_x）'),
  'crystal.cif-missing-column': inEnglish(`${at}原子列表缺少 {{tag}}`),
  'crystal.cif-own-axes': inEnglish(`${at}原子坐标采用自定义的直角坐标系，应为分数坐标`),
  'crystal.cif-no-positions': inEnglish(`${at}列出的原子都没有坐标和占据率`),
  'crystal.cif-no-crystal': inEnglish(
    '没有同时包含晶胞与原子的数据块，应有 _cell_length_a 和 _atom_site_fract_x',
  ),
  'crystal.cif-too-many-blocks': inEnglish('有 {{found}} 个数据块，最多读取 {{limit}} 个'),
  'crystal.volume-unknown-format': inEnglish(
    '既不是 VASP 的格点数据（CHGCAR、ELFCAR、LOCPOT），也不是 Gaussian cube 或带三维数据格点的 XSF',
  ),
  'crystal.volume-values-missing': inEnglish(
    `${at}应有 {{expected}} 个数值，只读到 {{found}} 个，请使用完整的文件`,
  ),
  'crystal.volume-no-number': inEnglish(`${at}“{{found}}”不是数字`),
  'crystal.volume-bad-grid': inEnglish(`${at}格点数为 {{found}}，应为三个大于 0 的整数`),
  'crystal.volume-too-many-points': inEnglish(`${at}格点共 {{found}} 个，最多 {{limit}} 个`),
  'crystal.volume-too-many-blocks': inEnglish(`${at}出现第五组数值，VASP 文件应有一组、两组或四组`),
  'crystal.volume-unknown-element': inEnglish(`${at}“{{found}}”不是元素，应为元素符号或原子序数`),
  'crystal.structure-json': inEnglish('结构数据的 {{path}} 不正确'),
  'crystal.other': inEnglish('结构不正确，请检查晶胞、元素与坐标'),
  'symmetry.not-initialised': inEnglish('对称性引擎尚未就绪'),
  'symmetry.empty-structure': inEnglish('结构中没有原子'),
  'symmetry.too-many-sites': inEnglish('原子位点过多，请使用更小的晶胞'),
  'symmetry.not-finite': inEnglish('坐标、晶格矢量或容差不是合理的数值'),
  'symmetry.flat-cell': inEnglish('晶胞体积或周期不合理'),
  'symmetry.overlapping-sites': inEnglish('有两个原子位点重叠，请删除其中一个'),
  'symmetry.engine-crashed': inEnglish('对称性引擎异常退出，请重试'),
  'symmetry.analysis-failed': inEnglish('在此容差下未能确定对称性'),
} as const satisfies Readonly<
  Record<`crystal.${CrystalReason}` | `symmetry.${SymmetryErrorCode}`, { en: string; zh: string }>
>;
