/** How each number is calculated and how to reproduce it; used by the value popovers and the methods page. */
import type { Bilingual, FieldMethod } from '@unitcell/material';

export interface Method {
  readonly title: Bilingual;
  readonly how: Bilingual;
  /** How to reproduce the number from exported data, and with which package. */
  readonly recompute: Bilingual;
  /** The input data of the calculation, shown instead of a source in lists and on tool pages. */
  readonly inputs: Bilingual;
  /** File in docs/methods with the full description; undefined if these sentences say everything. */
  readonly doc?: string;
}

const HULL_INPUTS = {
  en: 'Open the phase diagram of the same elements on the same scale and save it as JSON. It contains all phases with their energies; their lower convex hull (any program, or packages/phase-equilibria) gives the same number.',
  zh: '在同一能量基准下打开相同元素的相图，存为 JSON：其中含全部相及其能量。对其求下凸包（任意凸包程序，或 packages/phase-equilibria），即得同一数值。',
} as const;

/** Texts for properties that lists show. The page of the material has the details. */
const OF_MATERIAL = {
  en: 'The material page names the source, licence and conditions of the number.',
  zh: '数值的来源、许可与条件见该材料的页面。',
} as const;

const OF_ENERGIES = {
  en: 'Calculated on this site from the energies of the phases on this scale; each phase’s page names the source and licence of its energy.',
  zh: '由本站根据该能量基准下各相的能量计算；各相能量的来源与许可见其页面。',
} as const;

const TENSOR_INPUTS = {
  en: 'The JSON of the entry contains the tensor in the axes of the conventional cell; packages/tensors has the formulas.',
  zh: '条目的 JSON 含张量（以所示惯用晶胞为坐标轴）；公式见 packages/tensors。',
} as const;

export const METHODS = {
  formation: {
    title: { en: 'Formation energy', zh: '形成能' },
    how: {
      en: 'Energy per atom relative to the elements in their reference states on the same scale. Published formation energies are used unchanged; from total energies, the lowest energy of each element on that scale is subtracted.',
      zh: '同一能量基准下相对各元素参考态的每原子能量。已发表的形成能照原值采用；若为总能，则减去该基准下各元素的最低能量。',
    },
    recompute: HULL_INPUTS,
    doc: 'phase-equilibria.md',
    inputs: OF_MATERIAL,
  },
  hull: {
    title: { en: 'Energy above hull', zh: '高于凸包的能量' },
    how: {
      en: 'Distance of the formation energy from the lower convex hull of all phases of the chemical system on one scale; 0 is stable. Energies of different scales are never mixed.',
      zh: '形成能到该化学体系在同一能量基准下所有相之下凸包的距离；0 表示稳定。不同基准的能量从不混用。',
    },
    recompute: HULL_INPUTS,
    doc: 'phase-equilibria.md',
    inputs: OF_ENERGIES,
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
    inputs: OF_MATERIAL,
  },
  energy: {
    title: { en: 'Total energy', zh: '总能' },
    how: {
      en: 'Total energy of the primitive cell. Its zero depends on the program and its data sets, so only differences on one scale are meaningful.',
      zh: '原胞的总能，零点取决于程序与数据集；仅同一基准内的差值有意义。',
    },
    recompute: {
      en: 'Run the structure of the entry (CIF or POSCAR) with the settings listed.',
      zh: '用所列设置计算本条目的结构（CIF 或 POSCAR）。',
    },
    doc: 'engines.md',
    inputs: OF_MATERIAL,
  },
  gap: {
    title: { en: 'Band gap', zh: '带隙' },
    how: {
      en: 'Energy difference between the highest occupied and the lowest empty state. Calculated gaps depend on functional and k-points, and semilocal functionals underestimate them; measured ones are optical or transport gaps near room temperature.',
      zh: '最高占据态与最低空态之间的能量。计算值取决于泛函与 k 点，半局域泛函给出的带隙偏小；实测值为室温附近的光学或输运带隙。',
    },
    recompute: {
      en: 'Look up a published gap at its source by the ID given. For one calculated on this site, use the CSV of the bands: the lowest value above the Fermi level minus the highest below.',
      zh: '已发表的带隙可按所列编号在来源处查到。本站计算的带隙可由能带 CSV 得出：费米能级以上的最低值减去以下的最高值。',
    },
    inputs: OF_MATERIAL,
  },
  fermi: {
    title: { en: 'Fermi energy', zh: '费米能' },
    how: {
      en: 'As calculated, on the zero of the program and its data sets. Use it only as the reference for bands and densities of states of the same calculation.',
      zh: '由计算直接给出，零点取决于程序与数据集；仅用于标定同一计算的能带与态密度。',
    },
    recompute: {
      en: 'Run the structure of the entry (CIF or POSCAR) with the settings listed.',
      zh: '用所列设置计算本条目的结构（CIF 或 POSCAR）。',
    },
    doc: 'engines.md',
    inputs: OF_MATERIAL,
  },
  moment: {
    title: { en: 'Total magnetization', zh: '总磁矩' },
    how: {
      en: 'Magnetic moment of the primitive cell as given by the source, for the magnetic order that was calculated; another order may have a lower energy.',
      zh: '来源给出的原胞磁矩，对应所计算的磁序，未必是能量最低的磁序。',
    },
    recompute: {
      en: 'Run the structure of the entry (CIF or POSCAR) with spin polarisation and the settings listed.',
      zh: '用所列设置对本条目的结构（CIF 或 POSCAR）作自旋极化计算。',
    },
    doc: 'engines.md',
    inputs: OF_MATERIAL,
  },
  density: {
    title: { en: 'Density', zh: '密度' },
    how: {
      en: 'Mass of the cell from standard atomic weights, divided by its volume.',
      zh: '由标准原子量得到的晶胞质量除以晶胞体积。',
    },
    recompute: {
      en: 'From the CIF of either cell.',
      zh: '由任一晶胞的 CIF 计算。',
    },
    inputs: OF_MATERIAL,
  },
  cell: {
    title: { en: 'Cell and symmetry', zh: '晶胞与对称性' },
    how: {
      en: 'The structure as given by the source, idealised to the symmetry found within the tolerance; the conventional cell follows the International Tables.',
      zh: '来源给出的结构，按所列容差内判定的对称性理想化；惯用晶胞取《国际晶体学表》的标准设置。',
    },
    recompute: {
      en: 'The JSON contains the structure as given; any symmetry program (spglib, moyo) with the same tolerance finds the same space group.',
      zh: 'JSON 含来源给出的原始结构；任意对称性程序（spglib、moyo）在相同容差下可得同一空间群。',
    },
    doc: 'symmetry.md',
    inputs: OF_MATERIAL,
  },
  elastic: {
    title: { en: 'Elastic constants and moduli', zh: '弹性常数与模量' },
    how: {
      en: 'Stiffness as given by the source, rotated into the axes of the cell shown. Moduli are its Voigt and Reuss averages and their mean (Hill); the Debye temperature, sound velocities and estimates of the minimum thermal conductivity follow from the Hill moduli and the density.',
      zh: '刚度张量照来源原值，转至所示晶胞的坐标轴。模量为其 Voigt、Reuss 平均及二者均值（Hill）；德拜温度、声速与最小热导率的估计值由 Hill 模量与晶胞密度得出。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
    inputs: OF_MATERIAL,
  },
  dielectric: {
    title: { en: 'Dielectric constants', zh: '介电常数' },
    how: {
      en: 'Tensors as given by the source, rotated into the axes of the cell shown. The mean is a third of the trace; the refractive index is the square root of the electronic mean.',
      zh: '张量照来源原值，转至所示晶胞的坐标轴。平均值为迹的三分之一，折射率为电子部分平均值的平方根。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
    inputs: OF_MATERIAL,
  },
  piezoelectric: {
    title: { en: 'Piezoelectric constants', zh: '压电常数' },
    how: {
      en: 'Stress tensor e as given by the source, rotated into the axes of the cell shown; the largest component is the one of largest magnitude.',
      zh: '应力张量 e 照来源原值，转至所示晶胞的坐标轴；最大分量按绝对值。',
    },
    recompute: TENSOR_INPUTS,
    doc: 'tensors.md',
    inputs: OF_MATERIAL,
  },
  similar: {
    title: { en: 'Distance of structures', zh: '结构距离' },
    how: {
      en: 'Compares the interatomic distances, scaled by the volume per atom, among all atoms and among atoms of one element: 0 = identical up to scale and elements, 1 = unrelated.',
      zh: '以每个原子所占空间为单位，比较各距离上的原子数（全部原子之间，以及同种元素之间）：0 表示排列相同，1 表示没有共同的距离。',
    },
    recompute: {
      en: 'From the CIFs of the two conventional cells.',
      zh: '由两个惯用晶胞的 CIF 计算。',
    },
    inputs: {
      en: 'Calculated on this site from the two structures; their pages name the sources.',
      zh: '由本站根据两个结构计算；结构的来源见各自的页面。',
    },
    doc: 'similar-structures.md',
  },
  window: {
    title: { en: 'Electrochemical window', zh: '电化学窗口' },
    how: {
      en: 'Grand-potential hull of the system open to the working ion: at a voltage U vs. the metal, the chemical potential of the ion is zU below that of the metal. Between the onsets the compound neither takes up nor releases the ion; the ranges are those between the breakpoints of the hull.',
      zh: '相对离子金属的电压为 U 时，离子的化学势比金属低 zU。在两个起始电位之间，化合物既不吸收也不释放该离子；各区间为对该离子开放的体系凸包的断点之间。',
    },
    recompute: HULL_INPUTS,
    inputs: OF_ENERGIES,
    doc: 'phase-equilibria.md',
  },
  oxygen: {
    title: { en: 'Stability against oxygen', zh: '对氧的稳定性' },
    how: {
      en: 'Grand-potential hull of the system open to oxygen: the interval of the chemical potential of O in which the compound neither takes up nor gives off oxygen. Solids keep the energies of the scale; the potential counts from half an O2 of the same scale, and NIST-JANAF tables turn temperature and pressure into it. The upper limit is not known if the database has no oxide of an element. Calculated up to 0.1 eV/atom above the hull; polymorphs share the interval of their composition.',
      zh: '对氧开放的体系的巨势凸包：化合物既不吸收也不释放氧的氧化学势区间。固体取该能量基准的数值；化学势以同一能量基准的 1/2 O2 为零点，温度与压强由 NIST-JANAF 表换算。数据库缺少某元素的氧化物时，上限未知。仅计算高于凸包 0.1 eV/atom 以内的材料；同成分的多晶型共用一个区间。',
    },
    recompute: HULL_INPUTS,
    inputs: OF_ENERGIES,
    doc: 'thermochemistry.md',
  },
  water: {
    title: { en: 'Decomposition energy in water', zh: '水中分解能' },
    how: {
      en: 'Energy above the stable solids and ions of the same elements in water at pH 7 and 0 V against SHE, 25 °C, 10⁻⁶ mol/l of each element, as the Pourbaix diagram has it. Calculated up to 0.1 eV/atom above the hull and three elements besides O and H, each with measured ions and their reference solid.',
      zh: '在 pH 7、0 V（相对 SHE）、25 °C、各元素 10⁻⁶ mol/l 的水中，相对于同种元素的稳定固体与离子的能量，与 Pourbaix 图一致。仅计算高于凸包 0.1 eV/atom 以内、除 O、H 外至多三种元素且均有实测离子及其参考固体的材料。',
    },
    recompute: {
      en: 'Open the Pourbaix diagram with the id of the material on the same scale and read pH 7, 0 V.',
      zh: '在同一能量基准下以该材料的编号打开 Pourbaix 图，读取 pH 7、0 V 处的值。',
    },
    inputs: OF_ENERGIES,
    doc: 'pourbaix.md',
  },
  electrode: {
    title: { en: 'Insertion electrode', zh: '嵌入型电极' },
    how: {
      en: 'Materials whose structures match without the working ion are states of one host. The voltage between two states is V = −(E(x₂) − E(x₁) − (x₂ − x₁)·E_ion) / ((x₂ − x₁)·z), with x ions per formula unit of the host; only states on the lower hull over x are passed. Capacities follow from Faraday’s law for the discharged material.',
      zh: '去掉工作离子后结构相匹配的材料是同一骨架的各荷电态。两态之间的电压 V = −(E(x₂) − E(x₁) − (x₂ − x₁)·E_ion) / ((x₂ − x₁)·z)，x 为每骨架单元的离子数；放电只经过对 x 的下凸包上的态。容量由法拉第定律按放电态材料计算。',
    },
    recompute: {
      en: 'Save the electrode as JSON: it has the materials with their ion contents and volumes; their formation energies are in the JSON of the materials (packages/phase-equilibria, insertionElectrode).',
      zh: '将电极存为 JSON：其中含各材料的离子含量与体积；形成能见各材料的 JSON（packages/phase-equilibria 的 insertionElectrode）。',
    },
    inputs: OF_ENERGIES,
    doc: 'electrodes.md',
  },
  reaction: {
    title: { en: 'Interface reaction', zh: '界面反应' },
    how: {
      en: 'Energy of the equilibrium phases minus that of the mixture, along the mixing line of the two reactants, per atom of the mixture; kJ/mol is per mole of the equation as written.',
      zh: '沿两反应物的混合线，混合物能量减去平衡相能量，按混合物每原子计；kJ/mol 按所写方程式计。',
    },
    recompute: HULL_INPUTS,
    inputs: OF_ENERGIES,
    doc: 'phase-equilibria.md',
  },
  scaleProbability: {
    title: { en: 'Probability of a weak reaction', zh: '反应较弱的概率' },
    how: {
      en: 'Probability that the true reaction energy is above the limit, if the formation energy of each phase has an independent, normally distributed error with the mean deviation of its class from measured enthalpies. Errors of related compounds cancel in part, so the value is cautious. The smaller one of both sides.',
      zh: '假设各相形成能具有独立的正态误差（大小取其化合物类别与实测生成焓的平均偏差），真实反应能高于阈值的概率。相近化合物的误差部分抵消，故偏保守；取两侧中较小者。',
    },
    recompute: {
      en: 'Φ((E + limit)/σ) with σ² = Σ (share × 1.2533 × mean deviation)² over reactants and products; the deviations are on the pages of materials.',
      zh: 'Φ((E + 阈值)/σ)，σ² = Σ(份额 × 1.2533 × 平均偏差)²，对反应物与产物求和；偏差见材料页面。',
    },
    inputs: OF_ENERGIES,
    doc: 'coatings.md',
  },
  price: {
    title: { en: 'Price of the elements', zh: '元素价格' },
    how: {
      en: 'Mean of the prices of the elements, weighted by mass, without the cost of making the material. Prices of 2001 to 2020 as listed in Wikipedia, “Prices of chemical elements”.',
      zh: '按质量加权的元素价格平均值，不含制备成本。价格为 2001 至 2020 年，取自维基百科“Prices of chemical elements”。',
    },
    recompute: {
      en: 'packages/elements/src/prices.ts has the price and year of each element.',
      zh: '各元素的价格与年份见 packages/elements/src/prices.ts。',
    },
    inputs: {
      en: 'A dated table of facts; the price of a salt can differ from that of the element in it.',
      zh: '注明年份的事实表；盐类的价格可能与其中元素的价格不同。',
    },
    doc: 'coatings.md',
  },
  conductivity: {
    title: { en: 'Measured ionic conductivity', zh: '实测离子电导率' },
    how: {
      en: 'The largest measured lithium conductivity near room temperature of a compound of this formula; in brackets the number of measurements. Polymorphs and samples differ by orders of magnitude. From OBELiX (CC BY 4.0).',
      zh: '该化学式的化合物在室温附近实测锂离子电导率的最大值，括号内为测量数。不同晶型与样品可相差数个数量级。取自 OBELiX（CC BY 4.0）。',
    },
    recompute: {
      en: 'The JSON of the answer lists every value with its space group and DOI.',
      zh: '结果的 JSON 列出每个数值及其空间群与 DOI。',
    },
    inputs: {
      en: 'Measured; the DOI of each value is in the JSON.',
      zh: '实测值；各数值的 DOI 见 JSON。',
    },
    doc: 'coatings.md',
  },
  pattern: {
    title: { en: 'Calculated powder pattern', zh: '计算的粉末衍射图谱' },
    how: {
      en: 'Kinematic intensities of all reflections with neutral-atom scattering factors, multiplicity and the Lorentz–polarisation factor, normalised to 100; no thermal motion, absorption or texture. For neutrons: nuclear scattering lengths (Sears 1992) and the Lorentz factor.',
      zh: '全部衍射峰的运动学强度，采用中性原子散射因子、多重性与洛伦兹–偏振因子，最强为 100；不含热振动、吸收与织构。中子采用核散射长度（Sears 1992）与洛伦兹因子。',
    },
    recompute: {
      en: 'From the CIF of the conventional cell with any powder program at the same wavelength.',
      zh: '由惯用晶胞的 CIF，用任意粉末衍射程序在相同波长下计算。',
    },
    inputs: {
      en: 'Calculated on this site from the structure; the material page names its source.',
      zh: '由本站根据结构计算；结构的来源见该材料的页面。',
    },
    doc: 'xrd-patterns.md',
  },
  match: {
    title: { en: 'Match of a powder pattern', zh: '粉末图谱匹配' },
    how: {
      en: 'Distance between the square roots of measured and calculated intensities on a logarithmic d axis, over strains of ± 2 %. Pattern explained: share of the measured intensity at lines of the candidate. Lines found: share of its calculated intensity that is found. The crystallite size is the median Scherrer size (K = 0.9) of the stronger peaks, corrected for a typical instrument width.',
      zh: '在 d 的对数坐标上，实测与计算强度平方根之间的距离，应变范围 ± 2 %。“已解释强度”为落在候选相衍射峰位置的实测强度份额；“理论峰检出率”为其理论强度被检出的份额。晶粒尺寸为较强衍射峰谢乐公式（K = 0.9）结果的中位数，已扣除仪器宽度。',
    },
    recompute: {
      en: 'Use the CSV of matches and peaks, the uploaded file and packages/diffraction; any powder program calculates the lines from the CIF of the candidate.',
      zh: '由匹配结果与峰的 CSV、上传的文件及 packages/diffraction 重算；任意粉末衍射程序可由候选相的 CIF 得到其衍射峰。',
    },
    inputs: {
      en: 'The uploaded file, and patterns calculated from the structures in the database.',
      zh: '上传的文件，以及由数据库中的结构计算的图谱。',
    },
    doc: 'xrd-matching.md',
  },
  peaks: {
    title: { en: 'Measured peaks', zh: '实测衍射峰' },
    how: {
      en: 'All peaks are fitted together above the background, each as a pseudo-Voigt with its own position, width and area. Intensity is the area and height the maximum, each normalised to 100.',
      zh: '扣除背底后对所有峰同时拟合：每个伪 Voigt 峰有各自的位置、宽度与面积。强度为面积，最强为 100；高度为峰顶高度，最高为 100。',
    },
    recompute: {
      en: 'From the uploaded file, with any program that fits powder peaks.',
      zh: '由上传的文件，用任意粉末衍射峰拟合程序得到。',
    },
    inputs: { en: 'The uploaded file; it is not stored.', zh: '上传的文件；不会被保存。' },
    doc: 'xrd-matching.md',
  },
  refinement: {
    title: { en: 'Refinement of a powder pattern', zh: '粉末图谱精修' },
    how: {
      en: 'Least squares between the measured counts and a model of the whole pattern (Rietveld; Le Bail with free intensities): scale, cell, line widths, displacement, background and, where the fit gains, texture. Atoms stay fixed. Weight fractions from scale × mass × volume of the cell.',
      zh: '以最小二乘法使整张图谱的模型与实测计数相符（Rietveld；Le Bail 法强度自由）：标度、晶胞、峰宽、样品位移、背底，以及能改善拟合时的织构。原子位置固定。重量分数由标度 × 晶胞质量 × 晶胞体积得出。',
    },
    recompute: {
      en: 'Use the uploaded file and the CIF of each phase in any Rietveld program; all parameters are in the table of parameters.',
      zh: '用上传的文件和各物相的 CIF，在任意 Rietveld 程序中重算；全部参数见参数表。',
    },
    inputs: {
      en: 'The uploaded file, which is not stored, and the structures of the phases.',
      zh: '上传的文件（不会被保存）和各物相的结构。',
    },
    doc: 'xrd-refinement.md',
  },
  tightBinding: {
    title: { en: 'Tight binding', zh: '紧束缚' },
    how: {
      en: 'Eigenvalues of the Bloch Hamiltonian of the 2D lattice with one orbital per site and the hoppings set on the page; Chern numbers by the link-variable method of Fukui, Hatsugai and Suzuki.',
      zh: '二维晶格的布洛赫哈密顿量本征值，每个格点一个轨道，跃迁强度取页面上的设定；陈数用 Fukui、Hatsugai 与 Suzuki 的链变量方法计算。',
    },
    recompute: {
      en: 'The JSON and the PythTB script that the page exports give the same bands.',
      zh: '页面导出的 JSON 与 PythTB 脚本可得到相同的能带。',
    },
    inputs: {
      en: 'The parameters set on the page: a model, not a measured material.',
      zh: '页面上设定的参数：这是模型，不是实测，也不对应某一材料。',
    },
    doc: 'tight-binding.md',
  },
  prediction: {
    title: { en: 'Prediction', zh: '性质预测' },
    how: {
      en: 'A graph neural network uses elements and interatomic distances. Within its domain, the interval contains the true value for nine of ten crystals of unseen chemical systems; outside it, trust neither value nor interval.',
      zh: '图神经网络读取原子的近邻及其距离。在其适用域内，区间对未见过的化学体系的晶体有九成覆盖；超出适用域，数值与区间均不可信。',
    },
    recompute: {
      en: 'The weights and the code are in packages/prediction; the same structure and model give the same values.',
      zh: '权重与代码在 packages/prediction；相同结构与所列模型得到相同数值。',
    },
    inputs: {
      en: 'The given structure and the weights of the model: neither measured nor calculated for this crystal.',
      zh: '所给结构与所列模型的权重：既非实测，也未对该晶体作计算。',
    },
    doc: 'prediction.md',
  },
  potential: {
    title: { en: 'Prediction by an interatomic potential', zh: '机器学习势预测' },
    how: {
      en: 'Predicted by SevenNet-0, a machine-learned interatomic potential, for the crystal relaxed by it: elastic tensor from strains of ±0.5 %, phonons from displacements of 0.01 Å in a supercell. Frequencies are typically 10 to 30 % too low, shear constants of compounds a quarter, those of metals unreliable; no dispersion forces, no LO–TO splitting.',
      zh: '由机器学习势 SevenNet-0 对其自身弛豫后的晶体预测：弹性张量取 ±0.5 % 应变，声子取超胞中 0.01 Å 位移。频率通常偏低 10 至 30 %，化合物的剪切常数偏低约四分之一，金属的不可靠；不含色散作用，不含 LO–TO 劈裂。',
    },
    recompute: {
      en: 'npm run -s unitcell -- calculate FILE --tasks elastic,phonons for the CIF of the primitive cell; the weights are in packages/potential.',
      zh: '对原胞的 CIF 运行 npm run -s unitcell -- calculate FILE --tasks elastic,phonons；权重在 packages/potential。',
    },
    inputs: {
      en: 'The stored cell and the weights of SevenNet-0 (Park et al., J. Chem. Theory Comput. 20, 4857 (2024)): neither measured nor calculated from first principles.',
      zh: '所存晶胞与 SevenNet-0 的权重（Park et al., J. Chem. Theory Comput. 20, 4857 (2024)）：既非实测，也非第一性原理计算。',
    },
    doc: 'potential.md',
  },
  design: {
    title: { en: 'Search for new compounds', zh: '新化合物检索' },
    how: {
      en: 'Other elements are substituted into a known crystal, with the volume scaled to their radii. The best candidates are relaxed by the interatomic potential SevenNet-0, and the network predicts their energies. The distance to the hull, the probabilities and the windows follow from that energy and the calculated energies of the known phases. The compound itself was neither measured nor calculated.',
      zh: '以其他元素替换已知晶体中的原子，体积按半径缩放；最佳候选由机器学习势 SevenNet-0 弛豫，能量由图神经网络预测；到凸包的距离、概率与窗口由该能量及已知相的计算能量得出。对该化合物既无实测，也未作计算。',
    },
    recompute: {
      en: 'Save the CIF of the candidate: Predict gives its energy, interval and distance to the hull; Run4U calculates it.',
      zh: '保存候选结构的 CIF：“性质预测”给出其能量、区间与到凸包的距离；Run4U 可对其作计算。',
    },
    inputs: {
      en: 'The known crystal named in the row, the weights of the model, and the energies of the phases on its scale.',
      zh: '该行所列的已知晶体、所列模型的权重，以及模型所学能量基准下各相的能量。',
    },
    doc: 'design.md',
  },
} as const satisfies Readonly<Record<FieldMethod, Method> & Record<string, Method>>;

export type MethodId = keyof typeof METHODS | FieldMethod;
