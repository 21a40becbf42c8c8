/** Texts of phase diagram calls and of everything based on phase diagrams. */
import type { MessageTable } from '../message-table.ts';

export const phaseDiagramMessages = {
  'phase.component-number': {
    en: 'A phase diagram is drawn for two to four components, not {{count}}. Separate them by spaces, for example Li Mn O or Li2O Mn O.',
    zh: '相图需要二至四个组分，当前输入了 {{count}} 个。请用空格分隔，例如 Li Mn O 或 Li2O Mn O。',
  },
  'phase.nothing-left': {
    en: 'The gas fixes {{open}}, which leaves {{count}} of the components; a diagram needs two to four. Add elements, or close the diagram to the gas.',
    zh: '气体固定了 {{open}} 的化学势，只剩 {{count}} 个组分，而相图需要二至四个。请增加元素，或不向气体开放。',
  },
  'phase.bad-component': {
    en: '{{text}} is neither an element nor a formula: {{reason}}. Write symbols or formulas such as Fe or Li2O.',
    zh: '{{text}} 既不是元素也不是化学式：{{reason}}。请输入元素符号或化学式，例如 Fe 或 Li2O。',
  },
  'phase.unknown-scale': {
    en: 'There is no energy scale called {{functional}}. Available: {{known}}.',
    zh: '没有名为 {{functional}} 的能量基准。可用的有：{{known}}。',
  },
  'phase.no-data': {
    en: 'The database has no energies of {{elements}} on the scale {{functional}}. Choose other elements or another scale.',
    zh: '数据库中没有 {{elements}} 在能量基准 {{functional}} 下的数据。请更换元素或能量基准。',
  },
  'phase.no-total-energies': {
    en: 'The scale {{functional}} has no total energies of {{elements}}. Please give a formation energy instead.',
    zh: '能量基准 {{functional}} 没有 {{elements}} 的总能，请改用形成能。',
  },
  'phase.not-of-elements': {
    en: 'Chemical potentials belong to elements: {{components}} is a compound. Use elements instead, for example Li Fe O.',
    zh: '化学势以元素为准，而 {{components}} 是化合物。请改为输入元素，例如 Li Fe O。',
  },
  'phase.no-compound': {
    en: 'The database has no energy of {{formula}} on the scale {{functional}}. Choose another compound or scale.',
    zh: '数据库中没有 {{formula}} 在能量基准 {{functional}} 下的能量。请更换化合物或能量基准。',
  },
  'phase.not-stable': {
    en: '{{formula}} lies {{energy}} eV/atom above the hull: no chemical potentials make it stable. It decomposes into {{products}}.',
    zh: '{{formula}} 高于凸包 {{energy}} eV/atom：任何化学势下都不稳定。平衡时的物相为 {{products}}。',
  },
  'phase.too-many-elements': {
    en: 'The input contains {{count}} different elements; at most {{limit}} are accepted. Remove some of them.',
    zh: '共包含 {{count}} 种元素，最多接受 {{limit}} 种。请减少元素。',
  },
  'phase.empty': {
    en: 'The database has no energies for this system. Choose other elements or another energy scale.',
    zh: '数据库中没有该体系的能量数据。请更换元素或能量基准。',
  },
  'phase.invalid-entry': {
    en: 'An energy or amount is not a number: {{subjects}}.',
    zh: '能量或数量不是有效数字：{{subjects}}。',
  },
  'phase.duplicate-id': {
    en: 'Two entries have the same id: {{subjects}}.',
    zh: '存在重复的编号：{{subjects}}。',
  },
  'phase.unknown-element': {
    en: '{{subjects}} is not an element. Write symbols such as Fe or O.',
    zh: '{{subjects}} 不是元素。请输入元素符号，例如 Fe 或 O。',
  },
  'phase.missing-reference': {
    en: 'The database has no energy of {{subjects}}, which a corner of the diagram needs. Choose another component or energy scale.',
    zh: '数据库中没有 {{subjects}} 的能量，无法作为相图的顶点。请更换组分或能量基准。',
  },
  'phase.outside-system': {
    en: 'The composition lies outside the diagram: it cannot be mixed from its components. Add the missing elements to the components.',
    zh: '该成分不在相图范围内：无法由所给组分混合得到。请在组分中补充缺少的元素。',
  },
  'phase.dependent-components': {
    en: '{{subjects}} cannot all be corners of one diagram: one of them is a mixture of the others. Remove one.',
    zh: '{{subjects}} 不能同时作为相图的顶点：其中之一可由其余组分混合得到。请去掉一个。',
  },
  'phase.component-count': {
    en: 'Every element of the system would be open: close the system or choose another open element.',
    zh: '体系中没有剩余的封闭元素：请关闭体系或选择其他开放元素。',
  },
  'phase.working-ion': {
    en: 'There is no window of {{subjects}} against itself or in a system without it.',
    zh: '{{subjects}} 没有相对于自身、或在不含它的体系中的电化学窗口。',
  },
  'phase.unknown-gas': {
    en: 'There is no table of the gas {{gas}}. Choose one of these gases: {{known}}.',
    zh: '没有气体 {{gas}} 的数据表。请从以下气体中选择：{{known}}。',
  },
  'phase.undetermined-gas': {
    en: '{{gases}} cannot fix the chemical potential of each of its elements. Combine as many different gases as they have elements, for example H2O with H2, CO2 with CO, or O2 alone.',
    zh: '{{gases}} 无法确定其中每种元素的化学势。气体种数须与所含元素数相同且互不相关，例如 H2O 与 H2、CO2 与 CO，或单独的 O2。',
  },
  'phase.open-compounds': {
    en: 'A diagram that is open to a gas is drawn between elements; {{components}} is a compound. Enter elements, for example Li Fe with O2.',
    zh: '向气体开放的相图以元素为组分，而 {{components}} 是化合物。请输入元素，例如 Li Fe 与 O2。',
  },
  'phase.bad-temperature': {
    en: 'The temperature of the phases is {{value}} K. Enter 0 to {{max}} K; Gibbs energies are used from {{min}} K.',
    zh: '各相的温度为 {{value}} K。请输入 0 至 {{max}} K，自 {{min}} K 起使用吉布斯自由能。',
  },
  'phase.two-temperatures': {
    en: 'The phases are at {{phases}} K and the gas is at {{gas}} K. Enter the same temperature for both.',
    zh: '各相的温度为 {{phases}} K，而气体为 {{gas}} K。请为两者输入相同的温度。',
  },
  'phase.no-gibbs-energy': {
    en: 'No Gibbs energy of {{subjects}} as a solid is known at this temperature. Choose another temperature or plain energies.',
    zh: '没有 {{subjects}} 固体在此温度下的吉布斯自由能。请更换温度或使用原始能量。',
  },
  'phase.reactant': {
    en: '{{subjects}} is open to the reservoir and cannot be a reactant as well. Choose another reactant or close the system.',
    zh: '{{subjects}} 已与外界交换，不能同时作为反应物。请更换反应物或关闭体系。',
  },
} as const satisfies MessageTable;

// ── Texts of the ecwindow calls ──

export const ecwindowMessages = {
  'ecwindow.unknown-ion': {
    en: '{{text}} is not a working ion. Choose {{known}}.',
    zh: '{{text}} 不是工作离子。可选 {{known}}。',
  },
  'ecwindow.no-ion': {
    en: 'The database has no electrochemical windows against {{ion}} on the scale {{functional}}: it has no energy of {{ion}}.',
    zh: '数据库在能量基准 {{functional}} 下没有 {{ion}} 的能量，因此没有相对于 {{ion}} 的电化学窗口。',
  },
  'ecwindow.bad-range': {
    en: 'The range {{text}} of {{field}} is invalid. Write a range as [min, max].',
    zh: '无法识别 {{field}} 的范围 {{text}}。范围请写成 [最小值, 最大值]。',
  },
  'ecwindow.nothing-left': {
    en: 'The material {{id}} holds only elements that are exchanged ({{elements}}), so it has no window. Choose another gas or close the window.',
    zh: '材料 {{id}} 只含与外界交换的元素（{{elements}}），没有电化学窗口。请更换气体或关闭体系。',
  },
  'ecwindow.no-material': {
    en: 'Give the id of a material, or a formula with its formation energy.',
    zh: '请给出材料编号，或化学式及其形成能。',
  },
  'ecwindow.no-energy': {
    en: 'The material {{id}} has no energy on the scale {{functional}}, so no window can be given.',
    zh: '材料 {{id}} 在能量基准 {{functional}} 下没有能量数据，无法给出电化学窗口。',
  },
} as const satisfies MessageTable;

// ── Texts of the electrode calls ──

export const electrodeMessages = {
  'electrodes.bad-range': {
    en: 'The range {{text}} of {{field}} is upside down. Write the smaller number first.',
    zh: '{{field}} 的范围 {{text}} 上下限颠倒，请先写较小的数。',
  },
  'electrodes.ion-in-framework': {
    en: 'The host {{formula}} contains {{ion}}. Write the host without the working ion: {{without}}.',
    zh: '骨架 {{formula}} 含有 {{ion}}。请写不含工作离子的骨架：{{without}}。',
  },
  'electrodes.none-of-ion': {
    en: 'The database has no insertion electrode of {{ion}} on the scale {{functional}}: no host occurs with two different contents of {{ion}}. Ions with electrodes: {{known}}.',
    zh: '数据库在能量基准 {{functional}} 下没有 {{ion}} 的嵌入型电极：没有一种骨架以两种不同的 {{ion}} 含量出现。有电极的离子：{{known}}。',
  },
  'electrodes.only-ion': {
    en: '{{formula}} consists only of {{ion}}, so it has no host that takes up {{ion}}. Choose a compound or another ion.',
    zh: '{{formula}} 只含 {{ion}}，没有可嵌入 {{ion}} 的骨架。请选择化合物或其他离子。',
  },
  'electrodes.no-partner': {
    en: 'The material {{id}} ({{formula}}) is no state of an insertion electrode of {{ion}} on the scale {{functional}}: the database has no material with the same host {{framework}} and another content of {{ion}} within {{limit}} eV/atom of the hull.',
    zh: '材料 {{id}}（{{formula}}）在能量基准 {{functional}} 下不是 {{ion}} 嵌入型电极的任何一个荷电态：数据库中没有骨架同为 {{framework}}、{{ion}} 含量不同、且高于凸包不超过 {{limit}} eV/atom 的材料。',
  },
} as const satisfies MessageTable;

// ── Texts of the coating calls ──

export const coatingsMessages = {
  'electrodes.partner-without-energy': {
    en: 'The material {{id}} ({{formula}}) is no state of an insertion electrode of {{ion}} on the scale {{functional}}: materials with a host of the formula {{framework}} and another content of {{ion}} are in the database, but without an energy on this scale: {{others}}.',
    zh: '材料 {{id}}（{{formula}}）在能量基准 {{functional}} 下不是 {{ion}} 嵌入型电极的任何一个荷电态：数据库中有骨架化学式为 {{framework}}、{{ion}} 含量不同的材料，但它们没有此基准的能量：{{others}}。',
  },
  'coatings.no-partner': {
    en: 'Please enter both A and B, as a formula (LiCoO2), as a material id (87) or as the text of a CIF or POSCAR.',
    zh: '请输入 A 和 B，可以是化学式（LiCoO2）、材料编号（87）或 CIF/POSCAR 文本。',
  },
  'coatings.bad-structure': {
    en: 'The structure cannot be read: {{reason}}',
    zh: '无法读取该结构：{{reason}}',
  },
  'coatings.bad-energy': {
    en: 'The formation energy of {{formula}} has the interval {{low}} to {{high}} eV/atom around {{value}}: the value must lie within it, and all three within ±20 eV/atom.',
    zh: '{{formula}} 的形成能为 {{value}}，区间为 {{low}} 至 {{high}} eV/atom：数值应在区间之内，且三者均在 ±20 eV/atom 以内。',
  },
  'coatings.own-scale': {
    en: 'Energies are predicted on the scale {{scale}} and do not mix with those of {{functional}}. Choose that scale to place the crystal by prediction.',
    zh: '能量按基准 {{scale}} 预测，不能与 {{functional}} 的能量混用。选择该基准即可按预测值放置此晶体。',
  },
  'coatings.same': {
    en: 'A and B are both {{formula}}: there is nothing to separate. Choose two different materials.',
    zh: 'A 和 B 都是 {{formula}}：两者之间无需涂层，请选择两种不同的材料。',
  },
  'coatings.bad-window': {
    en: 'The window begins at {{min}} V and ends at {{max}} V: the first value must be the lower one.',
    zh: '窗口的下限为 {{min}} V，上限为 {{max}} V：下限不能高于上限。',
  },
  'coatings.too-few': {
    en: 'A matrix needs at least two different materials. Enter them as formulas or ids.',
    zh: '矩阵至少需要两种不同的材料，请输入化学式或材料编号。',
  },
  'coatings.too-many': {
    en: '{{count}} materials were given; at most {{limit}} are calculated at once. Remove some, or calculate one material against the others.',
    zh: '输入了 {{count}} 种材料，一次最多计算 {{limit}} 种。请减少材料，或改为一种材料对其余材料。',
  },
  'coatings.no-windows': {
    en: 'The database has no windows against {{ion}} for formulas other than A and B. Choose another ion or energy scale.',
    zh: '除 A 和 B 外，数据库中没有相对于 {{ion}} 的电化学窗口。请选择其他离子或能量基准。',
  },
  'coatings.too-large': {
    en: 'The {{count}} formulas that pass the filters form systems of more than {{limit}} elements with A or B. Use partners of fewer elements.',
    zh: '通过筛选的 {{count}} 个化学式与 A 或 B 组成的体系超过 {{limit}} 种元素。请选择元素较少的 A 和 B。',
  },
  'coatings.nothing-but': {
    en: 'No material passes the filters. Without {{filters}}, {{count}} would pass: relax this first.',
    zh: '没有材料通过筛选。去掉{{filters}}后有 {{count}} 种材料通过，请先放宽它。',
  },
  'coatings.and': { en: ' and ', zh: '和' },
  'coatings.price-leaves-none': {
    en: 'The price limit leaves nothing: {{count}} formulas cost more, or the price of one of their elements is unknown. The cheapest costs {{cheapest}} USD/kg.',
    zh: '价格上限排除了全部材料：{{count}} 个化学式价格更高，或含有价格未知的元素。其中最便宜的为 {{cheapest}} USD/kg。',
  },
  'coatings.price-unknown': {
    en: 'The price limit leaves nothing: each of the {{count}} formulas has an element of unknown price. Leave the limit empty.',
    zh: '价格上限排除了全部材料：{{count}} 个化学式都含有价格未知的元素。请不设价格上限。',
  },
  'coatings.literature.lowers-resistance': {
    en: 'Experiment: between cathode and sulfide electrolyte it lowers the resistance of the cathode.',
    zh: '实验：置于正极与硫化物电解质之间可降低正极阻抗。',
  },
  'coatings.literature.deposited': {
    en: 'Experiment: deposited on NMC811 by atomic layers and changed to an oxythiophosphate at the surface; 128 mAh/g after almost 250 cycles with Li10GeP2S12.',
    zh: '实验：以原子层沉积于 NMC811，表面转变为氧硫代磷酸盐；与 Li10GeP2S12 配合近 250 次循环后为 128 mAh/g。',
  },
  'coatings.literature.amorphous-film': {
    en: 'Experiment: amorphous lithium phosphate on LiCoO2 films has an interface resistance below 10 Ω cm² at suitable Li/P ratios.',
    zh: '实验：LiCoO2 薄膜上的非晶磷酸锂在合适的 Li/P 比下界面电阻低于 10 Ω cm²。',
  },
  'coatings.literature.stable-to-lithium': {
    en: 'Calculation: its interface with lithium metal is stable, that of Li3PS4 is not.',
    zh: '计算：它与金属锂的界面稳定，而 Li3PS4 与金属锂的界面不稳定。',
  },
  'coatings.literature.barrier': {
    en: 'Screening for liquid electrolytes: suggested as a barrier, also against hydrofluoric acid.',
    zh: '液态电解质筛选：建议作为物理阻挡层，也可阻挡氢氟酸。',
  },
  'coatings.literature.scavenger': {
    en: 'Screening for liquid electrolytes: suggested as a scavenger of hydrofluoric acid.',
    zh: '液态电解质筛选：建议用于清除氢氟酸。',
  },
  'coatings.literature.best-for-LiCoO2': {
    en: 'Screening for liquid electrolytes: among the best scavengers of hydrofluoric acid on LiCoO2.',
    zh: '液态电解质筛选：LiCoO2 上清除氢氟酸的最佳涂层之一。',
  },
  'coatings.literature.best-for-LiMn2O4': {
    en: 'Screening for liquid electrolytes: among the best scavengers of hydrofluoric acid on LiMn2O4.',
    zh: '液态电解质筛选：LiMn2O4 上清除氢氟酸的最佳涂层之一。',
  },
  'coatings.literature.common': {
    en: 'Named as a common coating in liquid electrolytes.',
    zh: '被列为液态电解质中的常用涂层。',
  },
  'coatings.literature.amorphous': {
    en: 'Screening of amorphous coatings: one of seven suggested.',
    zh: '非晶涂层筛选：建议的七种之一。',
  },
  'coatings.filter.window_min': { en: 'window from', zh: '窗口下限' },
  'coatings.filter.window_max': { en: 'window to', zh: '窗口上限' },
  'coatings.filter.min_band_gap': { en: 'band gap', zh: '带隙' },
  'coatings.filter.max_energy_above_hull': { en: 'energy above hull', zh: '高于凸包的能量' },
  'coatings.filter.exclude_elements': { en: 'without elements', zh: '排除元素' },
  'coatings.filter.include_elements': { en: 'with elements', zh: '包含元素' },
  'coatings.filter.observed_only': { en: 'observed only', zh: '仅实验已知' },
  'coatings.filter.max_elements': { en: 'number of elements', zh: '元素种数' },
} as const satisfies MessageTable;

// ── Texts of the interface reaction call ──

export const interfaceReactionMessages = {
  'interface.no-reactant': {
    en: 'Please enter both reactants, as a formula (Li3PS4) or as a material id (142).',
    zh: '请输入两个反应物，可以是化学式（Li3PS4）或材料编号（142）。',
  },
  'interface.bad-reactant': {
    en: 'The reactant {{text}} cannot be read as a formula: {{reason}}',
    zh: '无法将反应物 {{text}} 识别为化学式：{{reason}}',
  },
  'interface.no-material': {
    en: 'There is no material {{id}}. Please enter the id of a material of this database, or a formula.',
    zh: '没有编号为 {{id}} 的材料，请输入本数据库中的材料编号或化学式。',
  },
  'interface.same-reactants': {
    en: 'Both reactants are {{formula}}: a material does not react with itself. Choose two different ones.',
    zh: '两个反应物都是 {{formula}}：同一种物质不会与自身反应，请选择两种不同的物质。',
  },
  'interface.no-energy': {
    en: 'The material {{id}} has no energy on the scale {{functional}}, so its reactions cannot be given.',
    zh: '材料 {{id}} 在能量基准 {{functional}} 下没有能量数据，无法给出其反应。',
  },
  'interface.unknown-element': {
    en: '{{text}} is not an element. The open element is written as its symbol, for example Li or O.',
    zh: '{{text}} 不是元素。开放元素请填写元素符号，例如 Li 或 O。',
  },
  'interface.bad-potential': {
    en: 'The chemical potential is {{value}} eV. Please enter a number between {{min}} and {{max}} eV relative to the pure element.',
    zh: '化学势为 {{value}} eV。请输入相对于单质 {{min}} 到 {{max}} eV 之间的数。',
  },
  'interface.atomic-title': {
    en: 'Atomic fraction of {{formula}}',
    zh: '{{formula}} 的原子分数',
  },
  'interface.molar-title': {
    en: 'Molar fraction of {{formula}}',
    zh: '{{formula}} 的摩尔分数',
  },
} as const satisfies MessageTable;

// ── Texts of the stability calls ──

export const stabilityMessages = {
  'stability.no-species': {
    en: 'Please enter at least one reactant and one product, for example CaCO3 and CaO + CO2.',
    zh: '请至少输入一个反应物和一个产物，例如 CaCO3 与 CaO + CO2。',
  },
  'stability.too-many-species': {
    en: 'The equation has {{count}} substances; at most {{limit}} are accepted. Please split it into several reactions.',
    zh: '方程式中有 {{count}} 种物质，最多接受 {{limit}} 种。请拆分为几个反应。',
  },
  'stability.bad-formula': {
    en: '{{text}} cannot be read as a formula: {{reason}}. Separate substances by +, and mark a gas as in Zn(g).',
    zh: '无法将 {{text}} 识别为化学式：{{reason}}。物质之间请用 + 分隔，气体可写作 Zn(g)。',
  },
  'stability.same-species': {
    en: '{{formula}} is in the equation twice. Please write every substance once.',
    zh: '{{formula}} 在方程式中出现了两次，每种物质请只写一次。',
  },
  'stability.no-gas': {
    en: 'The measured tables have no gas {{formula}}. Write {{formula}}(s) to use the solid, or choose another gas.',
    zh: '实测数据表中没有气体 {{formula}}。可写作 {{formula}}(s) 按固体计算，或改用其他气体。',
  },
  'stability.wrong-side': {
    en: 'The equation balances only with {{formulas}} on the other side. Please move it there.',
    zh: '只有将 {{formulas}} 移到另一侧，方程式才能配平。请调整后重试。',
  },
  'stability.idle-species': {
    en: '{{formulas}} cannot take part: no balance contains it. Remove it, or add a substance with the same elements on the other side.',
    zh: '{{formulas}} 无法参与反应：任何配平都不含它。请删去，或在另一侧添加含相同元素的物质。',
  },
  'stability.one-sided': {
    en: 'The equation cannot be balanced: these elements are on one side only: {{elements}}. Add a substance that contains them to the other side.',
    zh: '方程式无法配平：以下元素只出现在一侧：{{elements}}。请在另一侧添加含这些元素的物质。',
  },
  'stability.impossible': {
    en: 'The equation cannot be balanced: no amounts conserve all elements. Check the formulas and add what is missing, often O2, H2O or CO2.',
    zh: '方程式无法配平：没有任何系数能使所有元素守恒。请检查化学式，并补充缺少的物质，常见的有 O2、H2O 或 CO2。',
  },
  'stability.bad-temperature': {
    en: 'The temperature is {{value}} K. Please enter a temperature from {{min}} to {{max}} K; 0 °C is 273.15 K.',
    zh: '温度为 {{value}} K。请输入 {{min}} 到 {{max}} K 之间的温度；0 °C 即 273.15 K。',
  },
  'stability.bad-range': {
    en: 'The temperatures run from {{min}} to {{max}} K. Please enter a highest temperature above the lowest one.',
    zh: '温度范围为 {{min}} 至 {{max}} K。最高温度须高于最低温度。',
  },
  'stability.bad-pressure': {
    en: 'The pressure of {{gas}} is {{value}} bar. Please enter a number above 0; for a gas that is absent, enter a small one such as 1e-10.',
    zh: '{{gas}} 的压力为 {{value}} bar。请输入大于 0 的数；若该气体几乎不存在，可输入很小的数，例如 1e-10。',
  },
  'stability.unknown-gas': {
    en: 'There is no gas {{gas}} in the equation, so its pressure has no meaning. Gases of the equation: {{known}}.',
    zh: '方程式中没有气体 {{gas}}，其压力没有意义。方程式中的气体：{{known}}。',
  },
  'stability.unknown-kind': {
    en: 'There is no Ellingham diagram of kind {{text}}. Choose {{known}}.',
    zh: '没有类型为 {{text}} 的 Ellingham 图。可选 {{known}}。',
  },
  'stability.no-elements': {
    en: 'Please enter the elements of the lines, for example Fe Ti Al C.',
    zh: '请输入要画线的元素，例如 Fe Ti Al C。',
  },
  'stability.unknown-element': {
    en: '{{text}} is not an element. Write symbols separated by spaces, for example Fe Cr.',
    zh: '{{text}} 不是元素。请输入以空格分隔的元素符号，例如 Fe Cr。',
  },
  'stability.too-many-elements': {
    en: '{{count}} elements were given; a diagram shows at most {{limit}}. Divide them between several diagrams.',
    zh: '输入了 {{count}} 种元素，一张图最多显示 {{limit}} 种。请分成几张图。',
  },
  'stability.no-lines': {
    en: 'The measured tables have no compound of this kind of {{elements}}. Elements with such a compound: {{known}}.',
    zh: '实测数据表中没有 {{elements}} 的这类化合物。有数据的元素：{{known}}。',
  },
} as const satisfies MessageTable;

// ── Texts of Pourbaix diagrams ──

export const pourbaixMessages = {
  'pourbaix.no-elements': {
    en: 'Please enter one to three elements other than O and H, for example Fe or Fe Cr.',
    zh: '请输入一至三种 O、H 以外的元素，例如 Fe 或 Fe Cr。',
  },
  'pourbaix.too-many-elements': {
    en: 'The diagram has {{count}} elements besides O and H ({{elements}}); at most {{limit}} are accepted. Leave out those that matter least.',
    zh: '除 O、H 外共有 {{count}} 种元素（{{elements}}），最多接受 {{limit}} 种。请去掉次要的元素。',
  },
  'pourbaix.bad-amount': {
    en: 'The number for {{element}} is {{value}}. Ratios and concentrations are numbers above 0 and below 1e9.',
    zh: '{{element}} 的数值为 {{value}}。比例与浓度须大于 0 且小于 1e9。',
  },
  'pourbaix.bad-ion': {
    en: '{{text}} cannot be read as a dissolved species of one element besides O and H. Write it as Fe[2+], FeO4[2-] or Fe(OH)3(aq).',
    zh: '无法将 {{text}} 识别为溶解物种（除 O、H 外只含一种元素）。请写作 Fe[2+]、FeO4[2-] 或 Fe(OH)3(aq)。',
  },
  'pourbaix.foreign-ion': {
    en: '{{text}} has no element of the diagram ({{elements}}). Remove it from the own ions, or add its element.',
    zh: '{{text}} 不含图中的元素（{{elements}}）。请从自定义离子中删去，或加入相应的元素。',
  },
  'pourbaix.bad-range': {
    en: 'The potentials run from {{low}} to {{high}} V. Please enter a range of at least 0.1 V between {{min}} and {{max}} V.',
    zh: '电位范围为 {{low}} 至 {{high}} V。请在 {{min}} 至 {{max}} V 之间输入至少 0.1 V 的范围。',
  },
  'pourbaix.bad-compound': {
    en: '{{text}} cannot be read as a formula: {{reason}}. Write a formula such as TiO2, or the id of a material such as #21.',
    zh: '无法将 {{text}} 识别为化学式：{{reason}}。请输入化学式（如 TiO2）或材料编号（如 #21）。',
  },
  'pourbaix.no-energy': {
    en: '{{text}} has no energy on the scale {{functional}}. Enter a formula together with its formation energy in eV/atom, or choose another scale.',
    zh: '{{text}} 在能量基准 {{functional}} 下没有能量。请输入化学式及其形成能（eV/atom），或更换能量基准。',
  },
  'pourbaix.measured-compound': {
    en: 'A compound can only be placed among computed energies, because its energy is on that scale. Please switch to computed energies.',
    zh: '化合物的能量属于计算能量基准，只能放在由计算能量得到的图上。请切换到计算能量。',
  },
} as const satisfies MessageTable;
