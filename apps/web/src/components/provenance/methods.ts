/** How each number of a material's page comes about, and how to get it again: behind every value, and the page of methods. */

interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

export interface Method {
  readonly title: Bilingual;
  readonly how: Bilingual;
  /** From what the site exports, with which package; the document in full. */
  readonly recompute: Bilingual;
  /** File of docs/science with all of it; absent where these sentences are all. */
  readonly doc?: string;
}

const HULL_INPUTS = {
  en: 'Open the phase diagram of the same elements on the same scale and save it as JSON: all phases with their energies are in it. The lower hull of them (any convex hull program, or packages/phase-equilibria) gives the same figure.',
  zh: '在同一能量基准下打开相同元素的相图，存为 JSON：其中含全部相及其能量。对其求下凸包（任意凸包程序，或 packages/phase-equilibria），即得同一数值。',
} as const;

const TENSOR_INPUTS = {
  en: 'The JSON of the entry holds the tensor in the axes of the conventional cell shown; packages/tensors has the formulas.',
  zh: '条目的 JSON 含张量（以所示惯用晶胞为坐标轴）；公式见 packages/tensors。',
} as const;

export const METHODS = {
  formation: {
    title: { en: 'Formation energy', zh: '形成能' },
    how: {
      en: 'Energy per atom against the elements in their reference states on the same scale. Published formation energies are taken as they are; from total energies, the lowest energy of each element on that scale is subtracted.',
      zh: '同一能量基准下相对各元素参考态的每原子能量。已发表的形成能照原值采用；若为总能，则减去该基准下各元素的最低能量。',
    },
    recompute: HULL_INPUTS,
    doc: 'phase-equilibria.md',
  },
  hull: {
    title: { en: 'Energy above hull', zh: '高于凸包的能量' },
    how: {
      en: 'Distance of the formation energy from the lower convex hull of all phases of the chemical system on one scale; 0 is stable. Energies of different scales are never mixed.',
      zh: '形成能到该化学体系在同一能量基准下所有相之下凸包的距离；0 表示稳定。不同基准的能量从不混用。',
    },
    recompute: HULL_INPUTS,
    doc: 'phase-equilibria.md',
  },
  enthalpy: {
    title: { en: 'Enthalpy of formation', zh: '生成焓' },
    how: {
      en: 'Standard enthalpy of formation at 298.15 K and 1 bar from calorimetry or equilibria, per atom (1 eV/atom is 96.485 kJ per mole of atoms).',
      zh: '298.15 K、1 bar 下由量热或平衡测得的标准生成焓，按每原子计（1 eV/atom 即 96.485 kJ/mol 原子）。',
    },
    recompute: {
      en: 'Divide the tabulated kJ/mol by the atoms of the formula and by 96.485.',
      zh: '将表中 kJ/mol 除以化学式的原子数，再除以 96.485。',
    },
  },
  energy: {
    title: { en: 'Total energy', zh: '总能' },
    how: {
      en: 'Total energy of the primitive cell on the zero of the program and its data sets: only differences on one scale mean anything.',
      zh: '原胞的总能，零点取决于程序与数据集；仅同一基准内的差值有意义。',
    },
    recompute: {
      en: 'Run the structure of the entry (CIF or POSCAR) with the settings named.',
      zh: '用所列设置计算本条目的结构（CIF 或 POSCAR）。',
    },
    doc: 'engines.md',
  },
  gap: {
    title: { en: 'Band gap', zh: '带隙' },
    how: {
      en: 'Energy between the highest occupied and the lowest empty state. Calculated gaps depend on functional and k-points, and semi-local functionals give gaps that are too small; measured ones are optical or transport gaps near room temperature.',
      zh: '最高占据态与最低空态之间的能量。计算值取决于泛函与 k 点，半局域泛函给出的带隙偏小；实测值为室温附近的光学或输运带隙。',
    },
    recompute: {
      en: 'A published gap is found at its source by the number given. One calculated here follows from the CSV of the bands: the lowest value above the Fermi level less the highest below.',
      zh: '已发表的带隙可按所列编号在来源处查到。本站计算的带隙可由能带 CSV 得出：费米能级以上的最低值减去以下的最高值。',
    },
  },
  density: {
    title: { en: 'Density', zh: '密度' },
    how: {
      en: 'Mass of the cell by standard atomic weights over its volume.',
      zh: '由标准原子量得到的晶胞质量除以晶胞体积。',
    },
    recompute: {
      en: 'From the CIF of either cell.',
      zh: '由任一晶胞的 CIF 计算。',
    },
  },
  cell: {
    title: { en: 'Cell and symmetry', zh: '晶胞与对称性' },
    how: {
      en: 'The structure as the source gave it, idealised on the symmetry found within the tolerance named; the conventional cell is that of the International Tables.',
      zh: '来源给出的结构，按所列容差内判定的对称性理想化；惯用晶胞取《国际晶体学表》的标准设置。',
    },
    recompute: {
      en: 'The JSON holds the structure as given; any symmetry program (spglib, moyo) at the same tolerance finds the same group.',
      zh: 'JSON 含来源给出的原始结构；任意对称性程序（spglib、moyo）在相同容差下可得同一空间群。',
    },
    doc: 'symmetry.md',
  },
  elastic: {
    title: { en: 'Elastic constants and moduli', zh: '弹性常数与模量' },
    how: {
      en: 'The stiffness is as the source gives it, turned into the axes of the cell shown. Moduli are its Voigt and Reuss averages and their mean (Hill); Debye temperature and sound follow from Hill’s moduli and the density of the cell.',
      zh: '刚度张量照来源原值，转至所示晶胞的坐标轴。模量为其 Voigt、Reuss 平均及二者均值（Hill）；德拜温度与声速由 Hill 模量与晶胞密度得出。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
  },
  dielectric: {
    title: { en: 'Dielectric constants', zh: '介电常数' },
    how: {
      en: 'The tensors are as the source gives them, turned into the axes of the cell shown. The mean is a third of the trace, the refractive index the root of the electronic mean.',
      zh: '张量照来源原值，转至所示晶胞的坐标轴。平均值为迹的三分之一，折射率为电子部分平均值的平方根。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
  },
  piezoelectric: {
    title: { en: 'Piezoelectric constants', zh: '压电常数' },
    how: {
      en: 'The stress tensor e is as the source gives it, turned into the axes of the cell shown; the largest component is by magnitude.',
      zh: '应力张量 e 照来源原值，转至所示晶胞的坐标轴；最大分量按绝对值。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
  },
} as const satisfies Readonly<Record<string, Method>>;

export type MethodId = keyof typeof METHODS;
