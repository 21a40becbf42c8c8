/** The model card: data, method, metrics, limits. The tables are filled from the manifest of the current model. */
import { defineTexts } from '../../i18n/texts.ts';

export const cardTexts = defineTexts('model-card', {
  title: ['Model card', '模型卡'],
  lead: [
    'Training data of the model behind every predicted value, its accuracy on unseen chemical systems, and its limits.',
    '每个预测值背后的模型：训练数据、在从未见过的化学体系上的表现，以及不应用于何处。',
  ],
  loading: ['Loading…', '正在读取指标…'],
  model: [
    'Model {{model}}: ensemble of {{members}} networks (mean reported)',
    '模型 {{model}}：取 {{members}} 个网络的平均值',
  ],
  shipped: ['Bundled with Unitcell.', '随程序发布。'],
  own: [
    'An administrator trained it on the data of this site; data and limits below describe the bundled model.',
    '由本站管理员用本站数据训练；下文关于数据与局限的说明针对随程序发布的模型。',
  ],
  figures: ['Accuracy', '指标'],
  figuresTable: ['Accuracy by property', '各性质的指标'],
  figuresLead: [
    'Measured on chemical systems used in neither training nor calibration. Nine of ten true values should be inside the interval.',
    '所用数值的化学体系未参与训练或校准。十个真值中应有九个落在区间内。',
  ],
  property: ['Property', '性质'],
  of: ['Input', '预测依据'],
  crystals: ['crystal', '晶体'],
  formulas: ['formula', '化学式'],
  formation_energy_per_atom: ['Formation energy', '形成能'],
  band_gap: ['Band gap (PBE)', '带隙 (PBE)'],
  measured_band_gap: ['Measured band gap', '实测带隙'],
  log10_bulk_modulus: ['log₁₀ bulk modulus', 'log₁₀ 体积模量'],
  log10_shear_modulus: ['log₁₀ shear modulus', 'log₁₀ 剪切模量'],
  rows: ['Values', '数值个数'],
  error: ['Mean absolute error', '平均绝对误差'],
  coverage: ['Inside the 90 % interval', '落在 90 % 区间内'],
  classes: ['Intervals by class of compound', '各类化合物的区间'],
  classesTable: ['Figures by class', '各类化合物的指标'],
  classesLead: [
    'Formation energies of crystals. Errors within a chemical system are correlated: the bars are standard errors over systems. The target is 88 to 92 %, shown as a band.',
    '晶体的形成能。同一化学体系的晶体误差相关，误差棒为按体系计算的标准误差。要求的比例为 88 % 至 92 %（色带）。',
  ],
  classesSummary: [
    'Share of formation energies inside the 90 % interval for {{n}} classes of compounds, from {{least}} to {{most}} %.',
    '{{n}} 类化合物的形成能落在 90 % 区间内的比例，从 {{least}} % 到 {{most}} %。',
  ],
  class: ['Class', '类别'],
  oxide: ['oxides', '氧化物'],
  halide: ['halides', '卤化物'],
  chalcogenide: ['chalcogenides', '硫族化合物'],
  intermetallic: ['intermetallics', '金属间化合物'],
  'f-element': ['f elements', '含 f 区元素'],
  other: ['other non-metals', '其他非金属化合物'],
  nCrystals: ['Crystals', '晶体数'],
  systems: ['Chemical systems', '化学体系数'],
  half: ['Mean half width', '平均半宽'],
  missed: ['outside target', '未达到'],
  chances: ['Probability of being near the hull', '接近凸包的概率'],
  chancesLead: [
    'Predicted probability against actual frequency, for crystals as they occur in databases, about half of which are near the hull. In a list with fewer stable compounds, fewer predictions come true.',
    '所给概率与实际成真的比例，针对数据库中的晶体（约一半接近凸包）。若候选中稳定的更少，成真的也更少。',
  ],
  chancesSummary: [
    'Actual frequency vs. predicted probability, within {{margins}} meV/atom of the hull; the straight line is perfect.',
    '高于凸包不超过 {{margins}} meV/atom：实际成真的比例随所给概率的变化；直线为完全吻合。',
  ],
  told: ['Predicted probability', '所给概率'],
  found: ['Actual frequency', '成真比例'],
  within: ['within {{margin}} meV/atom', '不超过 {{margin}} meV/atom'],
  detection: [
    'Found within {{margin}} meV/atom ({{of}}): F1 {{f1}}, baseline {{all}} ({{prevalence}} % positive)',
    '识别高于凸包不超过 {{margin}} meV/atom（{{of}}）：F1 {{f1}}，全部判为“是”时为 {{all}}（实际占 {{prevalence}} %）',
  ],
  data: ['Data', '数据'],
  dataCounts: [
    'Training set: {{crystals}} crystals and {{formulas}} formulas. Calibration: {{calibration}} crystals of other chemical systems. Test: {{test}} crystals of yet other systems.',
    '训练：{{crystals}} 个晶体与 {{formulas}} 个化学式。区间由其他化学体系的 {{calibration}} 个晶体校准；另有 {{test}} 个晶体用于评判。',
  ],
  data1: [
    'Crystals, formation energies (PBE and PBE+U) and gaps: Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013), doi:10.1063/1.4812323), CC BY 4.0.',
    '晶体、形成能（PBE 与 PBE+U）与带隙：Materials Project 2018 年版本（Jain 等，APL Materials 1, 011002 (2013)，doi:10.1063/1.4812323），CC BY 4.0。',
  ],
  data2: [
    'Moduli: matbench (Dunn et al., npj Comput. Mater. 6, 138 (2020)), after de Jong et al., Sci. Data 2, 150009 (2015), CC BY 4.0.',
    '弹性模量：matbench（Dunn 等，npj Comput. Mater. 6, 138 (2020)），源自 de Jong 等，Sci. Data 2, 150009 (2015)，CC BY 4.0。',
  ],
  data3: [
    'Measured gaps: matbench, after Zhuo et al., J. Phys. Chem. Lett. 9, 1668 (2018), MIT.',
    '实测带隙：matbench，源自 Zhuo 等，J. Phys. Chem. Lett. 9, 1668 (2018)，MIT。',
  ],
  split: [
    'The split is by chemical system, not by crystal, using the SHA-1 of the elements in alphabetical order: no formula of a test system was used in training.',
    '按化学体系而非晶体划分：取按字母顺序排列的元素的 SHA-1，因此评判所用体系的任何化学式均未被见过。',
  ],
  method: ['Method', '方法'],
  method1: [
    'Three rounds of message passing between atoms less than 5.5 Å apart (after SchNet and CGCNN). The input is distances and elements only, so rotation, choice of cell and order of atoms do not matter. The value is the mean of the networks. For a formula, the nodes of the graph are its elements.',
    '相距小于 5.5 Å 的原子之间传递三轮消息（参照 SchNet 与 CGCNN）；网络只知道距离与元素，因此旋转、晶胞选取与原子顺序均无影响。预测值为各网络的平均；化学式则是以元素为节点的同一种图。',
  ],
  method2: [
    'The interval is cross-conformal (Vovk 2015): small networks learn, on calibration systems, the error that nine of ten crystals do not exceed; factors per class and per third of that width correct the coverage.',
    '区间为交叉共形区间 (Vovk 2015)：小网络在校准体系上学习十个晶体中有九个不超过的误差，再以各类别、各宽度三分位的系数使其成立。',
  ],
  method3: [
    'Whether a crystal is within the domain follows from its distance to the nearest training crystals in the feature space of the network, and from whether its interatomic distances are those of real crystals.',
    '适用域由晶体在网络自身空间中与最近训练晶体的距离，以及其原子的近邻环境是否与真实晶体相符来判断。',
  ],
  limits: ['Limits', '局限'],
  limit1: [
    'Energies are PBE energies in the 2018 scheme, which is itself 0.1 to 0.2 eV/atom off measured enthalpies.',
    '能量为 2018 年方案的 PBE 能量；该方案本身与实测生成焓相差 0.1 至 0.2 eV/atom。',
  ],
  limit2: [
    'Valid for relaxed structures: less accurate for unrelaxed guesses, meaningless for cells far from equilibrium. It has no forces.',
    '仅适用于弛豫后的结构：对未弛豫的猜测更差，对远离平衡的晶胞没有意义。不给出力。',
  ],
  limit3: [
    'PBE gaps are smaller than measured ones, and the model reproduces this. Measured gaps belong to formulas, so polymorphs share one. They are not predicted for oxides and halides, where the 90 % intervals contained only 80 % of 88 oxides and 67 % of 18 halides outside the training set.',
    'PBE 带隙小于实验值，模型亦然。实测带隙属于化学式：同质多形体共用一个值。不预测氧化物和卤化物的实测带隙：在未训练过的 88 种氧化物和 18 种卤化物中，90 % 区间只包含 80 % 和 67 %。',
  ],
  limit4: [
    'No magnetic order, choice of U, disorder, temperature or pressure; it uses distances and elements only and cannot tell two crystals with equal distances apart.',
    '不含磁有序、U 的选取、无序、温度与压强；距离全同的两个晶体对它而言相同。',
  ],
  limit5: [
    'An unphysical cell whose atoms all have normal neighbours, such as a sheet of iron atoms 1.9 Å apart, can pass as within the domain.',
    '近邻看似正常的荒谬晶胞（如间距 1.9 Å 的铁原子片）可能被判为在适用域内。',
  ],
  limit8: [
    'The intervals of PBE gaps are set by class and predicted gap. For crystals outside the training set they contain 86 to 93 of 100 true values at every size of gap, and 86 where the model predicts a gap but gives it a probability below one half.',
    'PBE 带隙的区间按类别和预测值设定：无论带隙大小，100 个未训练过的晶体中有 86 至 93 个落在区间内；预测有带隙而其概率低于一半时为 86 个。',
  ],
  limit6: [
    'A formula alone hardly tells whether a compound is near the hull.',
    '仅由化学式几乎无法判断哪些化合物接近凸包。',
  ],
  limit7: [
    'Refused: disordered sites, more than 100 atoms, atoms closer than 0.5 Å, elements in fewer than 50 training crystals.',
    '不予预测：无序位点、超过 100 个原子、原子间距小于 0.5 Å、在训练晶体中少于 50 个的元素。',
  ],
  uses: ['Do not use for', '不应用于'],
  use1: [
    'deciding whether a material is stable or safe: it ranks candidates for calculation and experiment',
    '判定某一材料稳定或安全：它只为计算与实验排列候选',
  ],
  use2: [
    'published values, unless stated as predicted, with model and interval',
    '在论文中引用数值而不说明其为预测值、所用模型及区间',
  ],
  use3: ['molecules, surfaces, defects, liquids and glasses', '分子、表面、缺陷、液体与玻璃'],
  doc: [
    'Full description, including the published accuracy of other models.',
    '方法全文，含其他模型的公开指标。',
  ],
  again: ['Recompute the tables from the program and the data:', '以上表格可由程序与数据重新计算：'],
});
