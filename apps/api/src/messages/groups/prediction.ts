/** Texts of the prediction calls. */
import type { PotentialErrorCode } from '@unitcell/potential';
import type { MessageTable } from '../message-table.ts';

/** Notes about the limits of the interatomic potential's results. */
export const potentialMessages = {
  'potential.predicted': {
    en: 'Predicted by {{model}}, a machine-learned potential, not calculated from first principles.',
    zh: '由机器学习势 {{model}} 预测，并非第一性原理计算。',
  },
  'potential.no-dispersion': {
    en: 'No dispersion forces: layered, molecular and rare-gas crystals expand.',
    zh: '不含色散作用：层状晶体、分子晶体和稀有气体晶体会膨胀。',
  },
  'potential.gap': {
    en: 'Nothing interacts across an empty gap of {{gap}} Å: volume, pressure and elastic constants include it, and its width is arbitrary.',
    zh: '晶胞中有 {{gap}} Å 的空隙，两侧互不作用：体积、压强和弹性常数均包含空隙，空隙的宽度没有意义。',
  },
  'potential.soft-shear': {
    en: 'Shear constants of compounds are typically a quarter too low, those of metals unreliable.',
    zh: '化合物的剪切弹性常数通常偏低四分之一，金属的不可靠。',
  },
  'potential.soft-phonons': {
    en: 'Frequencies are typically 10 to 30 % too low; no LO–TO splitting.',
    zh: '声子频率通常偏低 10 至 30 %；不含 LO–TO 劈裂。',
  },
  'potential.soft-shear-l3i5': {
    en: 'Shear constants of compounds are typically a sixth too low, those of metals unreliable.',
    zh: '化合物的剪切弹性常数通常偏低六分之一，金属的不可靠。',
  },
  'potential.soft-phonons-l3i5': {
    en: 'Frequencies are typically up to 20 % too low, now and then too high; no LO–TO splitting.',
    zh: '声子频率通常偏低，至多 20 %，偶尔偏高；不含 LO–TO 劈裂。',
  },
  'potential.chiral': {
    en: 'The crystal may be chiral: its mirror images differ by up to 2 meV/atom.',
    zh: '该晶体可能是手性的：两个镜像的能量最多相差 2 meV/atom。',
  },
  'potential.mirror-averaged': {
    en: 'The crystal may be chiral: all results are averages over it and its mirror image.',
    zh: '该晶体可能是手性的：所有结果均取其自身与镜像的平均。',
  },
  'potential.hull': {
    en: 'Energies above the hull are uncertain by 0.03 eV/atom and prove no stability.',
    zh: '高于凸包的能量误差约为 0.03 eV/atom，不能据此断定稳定性。',
  },
  'potential.no-reference': {
    en: 'No place on the hull: there is no reference energy of {{elements}}.',
    zh: '无法确定其在凸包中的位置：缺少 {{elements}} 的参考能量。',
  },
  'potential.no-known-phase': {
    en: 'No place on the hull: the database has no crystal of this element that the potential can relax for comparison.',
    zh: '无法确定其在凸包中的位置：数据库中没有势函数能弛豫并用于比较的该元素晶体。',
  },
  'potential.no-correction': {
    en: 'No place on the hull: the correction of its energy cannot be decided ({{reason}}).',
    zh: '无法确定其在凸包中的位置：无法确定能量校正（{{reason}}）。',
  },
  'potential.task-failed': {
    en: 'No result: {{detail}}.',
    zh: '没有结果：{{detail}}。',
  },
  'potential.task-time-limit': {
    en: 'No result: it took longer than the {{minutes}} minutes it may take.',
    zh: '没有结果：耗时超过 {{minutes}} 分钟的限制。',
  },
  'potential.expansion': {
    en: 'How frequencies change with volume is predicted badly: thermal expansion may be wrong by more than a factor of two. The shape of the cell is kept.',
    zh: '频率随体积的变化预测得较差：热膨胀的误差可超过两倍。晶胞形状保持不变。',
  },
  'potential.barrier': {
    en: 'Barriers are those of a neutral vacancy at fixed cell, as the potential has no charges. In three comparisons they were 5 to 30 % too low.',
    zh: '势垒对应于固定晶胞中的中性空位，因为该势函数不含电荷。三次比较中势垒偏低 5 至 30 %。',
  },
  'potential.no-ion': {
    en: 'No result: the crystal contains no {{ion}}.',
    zh: '没有结果：该晶体不含 {{ion}}。',
  },
  'potential.no-hop': {
    en: 'No result: no two sites of {{ion}} are within {{limit}} Å.',
    zh: '没有结果：{{ion}} 的任何两个位点之间的距离都超过 {{limit}} Å。',
  },
  'potential.hop-too-large': {
    en: 'No result: the cell is too large. With at most {{limit}} atoms in the supercell the images of the vacancy are less than {{least}} Å apart.',
    zh: '没有结果：晶胞过大。超胞最多 {{limit}} 个原子，此时空位与其周期像的距离不足 {{least}} Å。',
  },
  'potential.magnetic': {
    en: 'Magnetic order, oxidation state and +U of {{elements}} are a learned average: energies may be off by 0.1 eV/atom.',
    zh: '{{elements}} 的磁序、氧化态和 +U 取训练所得的平均，能量误差可达 0.1 eV/atom。',
  },
  'relaxation.not-converged': {
    en: 'The relaxation did not converge in 150 steps.',
    zh: '弛豫在 150 步内未收敛。',
  },
  'relaxation.volume-change': {
    en: 'The volume changed by more than 30 % during the relaxation: it is not the same crystal any more.',
    zh: '弛豫时体积变化超过 30 %，已不是原来的晶体。',
  },
  'relaxation.overlapping-atoms': {
    en: 'Two atoms are too close for the interatomic potential.',
    zh: '有两个原子过近，超出势函数的适用范围。',
  },
  'relaxation.large-force': {
    en: 'A force exceeds 50 eV/Å, which the interatomic potential was not trained for.',
    zh: '有原子受力超过 50 eV/Å，超出势函数的训练范围。',
  },
  'relaxation.not-predicted': {
    en: 'The network cannot predict the relaxed crystal.',
    zh: '网络无法预测弛豫后的晶体。',
  },
  'relaxation.time-limit': {
    en: 'There was no time left for its relaxation.',
    zh: '时间已用尽，未能弛豫。',
  },
  'relaxation.failed': {
    en: 'The interatomic potential cannot relax this crystal ({{code}}).',
    zh: '势函数无法弛豫该晶体（{{code}}）。',
  },
  'potential.continue-relaxation': {
    en: 'the limit of {{steps}} steps is reached. Resubmit it to continue from the last step.',
    zh: '已达到 {{steps}} 步的上限。重新提交即可从最后一步继续。',
  },
} as const satisfies MessageTable;

const inEnglish = (zh: string) => ({ en: '{{message}}', zh }) as const;

/** Why the potential refuses a crystal or a task, nested in other messages. The English text is the package's own. */
export const potentialReasons = {
  'potential.reason.structure': inEnglish('结构没有原子，或晶胞、坐标不合理'),
  'potential.reason.disordered': inEnglish('有位点为部分占据或由多种元素共享，势函数只能处理有序结构'),
  'potential.reason.unknown-element': inEnglish('势函数没有 {{element}} 的参数'),
  'potential.reason.too-large': inEnglish('晶胞含 {{atoms}} 个原子，最多 {{limit}} 个'),
  'potential.reason.overlapping-atoms': inEnglish('有两个原子仅相距 {{distance}} Å，超出势函数的适用范围'),
  'potential.reason.isolated-atom': inEnglish('有一个原子在 {{cutoff}} Å 内没有近邻'),
  'potential.reason.large-force': inEnglish('有原子受力超过 {{limit}} eV/Å，超出势函数的训练范围'),
  'potential.reason.volume-change': inEnglish('弛豫时晶胞体积变化超过 30 %，已不是原来的晶体'),
  'potential.reason.not-converged': inEnglish('原子弛豫未收敛，请先弛豫晶体或改用更大的晶胞'),
  'potential.reason.no-minimum': inEnglish('能量在所取的体积范围内没有极小值'),
  'potential.reason.imaginary-modes': inEnglish('体积为 {{ratio}} 倍时存在虚频，准谐近似要求晶体稳定'),
  'potential.reason.symmetry': inEnglish('对称操作不能使结构与自身重合'),
  'potential.reason.displacements': inEnglish('原子位移不足以确定力常数'),
  'potential.reason.no-ion': inEnglish('该晶体不含 {{ion}}'),
  'potential.reason.no-hop': inEnglish('{{ion}} 的任何两个位点之间的距离都超过 {{limit}} Å'),
  'potential.reason.hop-too-large': inEnglish('晶胞过大，超胞最多 {{limit}} 个原子'),
  'potential.reason.phonon-file': inEnglish('声子文件不完整'),
  'potential.reason.model-file': inEnglish('势函数的参数文件已损坏'),
  'tensors.singular': inEnglish('弹性张量奇异：有一种应变不改变能量'),
  'potential.reason.other': inEnglish('势函数的结果不合理（{{code}}）'),
} as const satisfies Readonly<
  Record<`potential.reason.${PotentialErrorCode | 'other'}` | 'tensors.singular', MessageTable[string]>
>;

/** Texts of the tight-binding calls. */
export const tightBindingMessages = {
  'tight-binding.unknown-grid': {
    en: 'There is no lattice called {{id}}. Use a code of the list, such as kgm, hcb or lieb.{{hint}}',
    zh: '没有名为 {{id}} 的晶格。请使用列表中的代码，例如 kgm、hcb 或 lieb。{{hint}}',
  },
  'tight-binding.similar': {
    en: ' Similar: {{ids}}.',
    zh: '相近的有：{{ids}}。',
  },
  'tight-binding.not-a-number': {
    en: '{{name}} is {{value}}: a number is needed.',
    zh: '{{name}} 的值为 {{value}}，应为数字。',
  },
  'tight-binding.out-of-range': {
    en: '{{name}} is {{value}}: choose a number from {{low}} to {{high}}.',
    zh: '{{name}} 的值为 {{value}}，应在 {{low}} 到 {{high}} 之间。',
  },
  'tight-binding.onsite-count': {
    en: 'The sites of {{id}} are of the kinds {{symbols}}: give one on-site energy per kind ({{expected}}); {{count}} given.',
    zh: '{{id}} 有 {{expected}} 类格点（{{symbols}}），但给出了 {{count}} 个在位能。请为每一类给出一个值。',
  },
  'tight-binding.k-points': {
    en: '{{count}} k-points were asked for: choose a whole number from 2 to {{limit}}.',
    zh: '请求了 {{count}} 个 k 点，应为 2 到 {{limit}} 之间的整数。',
  },
} as const satisfies MessageTable;

export const predictionMessages = {
  'prediction.nothing-given': {
    en: 'Please give a crystal or a formula: a CIF or POSCAR, a formula such as LiFePO4, or the id of a material.',
    zh: '请提供晶体或化学式：CIF 或 POSCAR 文件、化学式（如 LiFePO4）或材料编号。',
  },
  'prediction.several-given': {
    en: 'Please give one thing to predict: the request contains {{given}}, which may be different crystals.',
    zh: '请只提供一个预测对象：请求中同时含有 {{given}}，它们可能是不同的晶体。',
  },
  'prediction.bad-formula': {
    en: 'The formula cannot be read: {{reason}}',
    zh: '无法读取该化学式：{{reason}}',
  },
  'prediction.unreadable': {
    en: 'The structure cannot be read: {{reason}}',
    zh: '无法读取该结构：{{reason}}',
  },
  'prediction.disordered': {
    en: 'Nothing is predicted for disordered crystals: a site is shared by several elements or partly vacant. Give an ordered cell, with one whole atom on every site.',
    zh: '无法预测无序晶体：有位点由多种元素共占或部分空缺。请提供每个位点恰为一个原子的有序晶胞。',
  },
  'prediction.unknown-element': {
    en: '{{element}} occurs in {{count}} training crystals of the model; predictions need at least {{limit}}.',
    zh: '模型的训练数据中有 {{count}} 个晶体含 {{element}}；只有出现在至少 {{limit}} 个晶体中的元素才会被预测。',
  },
  'prediction.too-large': {
    en: 'The cell has {{atoms}} atoms; the model accepts up to {{limit}}. Use the primitive cell.',
    zh: '该晶胞含 {{atoms}} 个原子；模型适用于不超过 {{limit}} 个原子的晶胞。请提供原胞。',
  },
  'prediction.overlapping-atoms': {
    en: 'Two atoms are {{distance}} Å apart; in a crystal they are at least {{limit}} Å apart. Check the coordinates and the cell.',
    zh: '有两个原子相距仅 {{distance}} Å；晶体中原子间距至少为 {{limit}} Å。请检查坐标与晶胞。',
  },
  'prediction.nothing-to-relax': {
    en: 'A formula has no crystal that could be relaxed: give a CIF, a POSCAR or the id of a material, or leave `relax` out.',
    zh: '化学式没有可弛豫的晶体：请提供 CIF、POSCAR 或材料编号，或去掉 `relax`。',
  },
  'prediction.element': {
    en: 'The formation energy of an element is 0 by definition; energies of its other forms are not predicted.',
    zh: '按定义，单质的形成能为 0；不预测其其他同素异形体的能量。',
  },
  'prediction.off': {
    en: 'An administrator has switched predictions off.',
    zh: '本站管理员已关闭性质预测。',
  },
  'prediction.model-missing': {
    en: 'The prediction model {{model}} of this site is missing. Please tell an administrator (`unitcell model list`).',
    zh: '本站所用的预测模型 {{model}} 不在应有的位置，请联系管理员（`unitcell model list`）。',
  },
} as const satisfies MessageTable;

// ── Texts of design runs, which search for new compounds ──

export const designMessages = {
  'design.unknown-element': {
    en: '{{element}} is not an element: please give symbols such as Li, O or Zr.',
    zh: '{{element}} 不是元素符号：请输入 Li、O、Zr 等符号。',
  },
  'design.no-system': {
    en: 'No combination of {{nelements}} of these {{elements}} elements contains the {{required}} required ones: add elements, or change the number of elements per compound.',
    zh: '所给 {{elements}} 种元素中没有含全部 {{required}} 种必需元素的 {{nelements}} 元组合：请增加元素，或改变元素种数。',
  },
  'design.too-many-systems': {
    en: 'These elements make {{systems}} chemical systems; at most {{limit}} are searched in one run. Remove some elements, or require one.',
    zh: '这些元素可组成 {{systems}} 个化学体系，一次最多处理 {{limit}} 个。请减少元素，或指定必需元素。',
  },
  'design.too-many-candidates': {
    en: '{{candidates}} candidates are too many: at most {{limit}} are predicted in one run. The chemically nearest come first.',
    zh: '{{candidates}} 个候选过多：一次任务最多预测 {{limit}} 个，化学上最接近的优先。',
  },
  'design.under-way': {
    en: 'You already have a design run in progress: wait for it or cancel it.',
    zh: '您已有一个设计任务正在进行：请等待其完成，或将其取消。',
  },
  'design.budget': {
    en: 'You have used up your design runs for now; the next can start in {{minutes}} min.',
    zh: '您的设计任务次数暂时用完，{{minutes}} 分钟后可再次开始。',
  },
  'design.over': {
    en: 'This design run has already finished.',
    zh: '该设计任务已经结束。',
  },
  'design.not-found': {
    en: 'There is no such design run or candidate.',
    zh: '没有该设计任务或候选结构。',
  },
  'design.failed': {
    en: 'The design run failed on our side; the log of the server has the reason. Please try again.',
    zh: '设计任务因本站故障失败，原因已记入服务器日志。请稍后重试。',
  },
} as const satisfies MessageTable;
