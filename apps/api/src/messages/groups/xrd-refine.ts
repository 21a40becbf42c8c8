/** Texts of refinements of powder patterns. */
import type { MessageTable } from '../message-table.ts';

export const xrdRefineMessages = {
  'xrd.refine.phase': {
    en: 'Phase {{number}} needs either the id of a material (struct_id) or a CIF, not both.',
    zh: '第 {{number}} 个物相应给出材料编号（struct_id）或 CIF，二者只取其一。',
  },
  'xrd.refine.cif': {
    en: 'The CIF of phase {{number}} cannot be read: {{reason}}',
    zh: '第 {{number}} 个物相的 CIF 无法读取：{{reason}}',
  },
  'xrd.refine.sigmas': {
    en: 'There are {{sigmas}} standard deviations for {{points}} points: expected one for each.',
    zh: '{{points}} 个点对应 {{sigmas}} 个标准偏差，两者数量应相同。',
  },
  'xrd.refine.range': {
    en: 'The region from {{from}}° to {{to}}° is empty or outside the pattern: give the smaller angle first.',
    zh: '区间 {{from}}° 到 {{to}}° 为空或不在图谱范围内：请先写较小的角度。',
  },
  'xrd.refine.background-removed': {
    en: 'Refinement needs the measured counts with their background, because their noise gives the weights. Undo the removal of the background.',
    zh: '精修需要含背底的实测计数，因为权重由其噪声得出。请撤销扣除背底。',
  },
  'xrd.refine.impossible': {
    en: 'This pattern cannot be refined: {{reason}}',
    zh: '该图谱无法精修：{{reason}}',
  },
  'xrd.refine.reason.lengths': {
    en: 'it has not as many intensities as angles.',
    zh: '强度与角度数量不同。',
  },
  'xrd.refine.reason.not-numbers': {
    en: 'some of its values are no finite numbers.',
    zh: '其中有非有限数值。',
  },
  'xrd.refine.reason.angles': {
    en: 'its angles do not rise, or are outside 0 to 180 degrees.',
    zh: '角度没有递增，或超出 0 到 180 度。',
  },
  'xrd.refine.reason.few-points': {
    en: 'too few points count. Widen the range or exclude less.',
    zh: '计入的点太少。请扩大范围或减少排除区间。',
  },
  'xrd.refine.reason.sigmas': {
    en: 'the standard deviations are not positive numbers, one for each point.',
    zh: '标准偏差应为正数，且每个点一个。',
  },
  'xrd.refine.reason.flat': {
    en: 'all its intensities in the range are the same.',
    zh: '所选范围内强度全部相同。',
  },
  'xrd.refine.reason.radiation': {
    en: 'the lines of the radiation need positive wavelengths and weights.',
    zh: '射线各谱线的波长和权重应为正数。',
  },
  'xrd.refine.reason.no-phases': {
    en: 'no phase is given.',
    zh: '没有给出物相。',
  },
  'xrd.refine.reason.too-many-phases': {
    en: 'more than five phases are given.',
    zh: '物相超过五个。',
  },
  'xrd.refine.reason.phase-without-atoms': {
    en: '{{phase}} has no atoms, so its intensities are unknown. Choose Le Bail, or another structure.',
    zh: '{{phase}} 没有原子，强度未知。请选择 Le Bail 方法或换一个结构。',
  },
  'xrd.refine.reason.phase-without-lines': {
    en: '{{phase}} has no line in the range.',
    zh: '{{phase}} 在所选范围内没有衍射线。',
  },
  'xrd.refine.reason.too-many-reflections': {
    en: 'a cell is so large that it has too many reflections. Shorten the range.',
    zh: '某个晶胞过大，衍射峰过多。请缩小范围。',
  },
  'xrd.refine.reason.options': {
    en: 'an option is outside its limits.',
    zh: '某个选项超出其范围。',
  },
  'xrd.refine.verdict.good': {
    en: 'The model describes the pattern: Rwp is {{rwp}} %, and counting statistics alone would give {{rexp}} %.',
    zh: '模型与图谱吻合：Rwp 为 {{rwp}} %，仅由计数统计应为 {{rexp}} %。',
  },
  'xrd.refine.verdict.usable': {
    en: 'Rwp is {{rwp}} %, and counting statistics alone would give {{rexp}} %. Read the notices before you use the numbers.',
    zh: 'Rwp 为 {{rwp}} %，仅由计数统计应为 {{rexp}} %。使用数值前请阅读下列提示。',
  },
  'xrd.refine.verdict.poor': {
    en: 'The model does not describe the pattern: Rwp is {{rwp}} %. Do not use these numbers. Check the phases, the radiation and the range.',
    zh: '模型与图谱不符：Rwp 为 {{rwp}} %。请勿使用这些数值，并检查物相、射线和角度范围。',
  },
  'xrd.refine.note.not-converged': {
    en: 'The refinement did not converge in {{cycles}} cycles.',
    zh: '经过 {{cycles}} 个循环，精修仍未收敛。',
  },
  'xrd.refine.note.time-limit': {
    en: 'The time limit ended the refinement after {{cycles}} cycles. Use fewer phases or a shorter range.',
    zh: '达到时间上限，精修在 {{cycles}} 个循环后停止。请减少物相或缩小范围。',
  },
  'xrd.refine.note.no-crystalline-signal': {
    en: 'No line of the phases rises above the noise.',
    zh: '这些物相的衍射线均未高于噪声。',
  },
  'xrd.refine.note.phase-not-found': {
    en: '{{phase}} is not found: its amount is below three standard deviations. Refine again without it.',
    zh: '未检出 {{phase}}：其含量低于三倍标准偏差。请去掉该物相后重新精修。',
  },
  'xrd.refine.note.phases-share-lines': {
    en: '{{first}} and {{second}} have the same lines: this pattern cannot tell how much there is of each.',
    zh: '{{first}} 与 {{second}} 的衍射线相同：由该图谱无法区分两者的含量。',
  },
  'xrd.refine.note.correlated': {
    en: 'Correlated: {{first}} and {{second}} ({{coefficient}}). Their separate values are less certain than their e.s.d. say.',
    zh: '相关性强：{{first}} 与 {{second}}（{{coefficient}}）。两者各自的数值不如其标准偏差所示可靠。',
  },
  'xrd.refine.note.undetermined': {
    en: 'Not determined by this pattern and kept as they were: {{parameters}}.',
    zh: '该图谱无法确定下列参数，保持原值：{{parameters}}。',
  },
  'xrd.refine.note.at-limit': {
    en: '{{parameter}} stopped at its limit, {{value}}.',
    zh: '{{parameter}} 停在其极限值 {{value}}。',
  },
  'xrd.refine.note.no-displacement': {
    en: '{{parameter}} stopped at its limit: intensities fall less with the angle than atoms at rest allow. A beam wider than the sample at low angles does this, as does a rough surface; begin the range at a higher angle.',
    zh: '{{parameter}} 停在极限：强度随角度的下降小于静止原子的情形。低角度时光束宽于样品，或表面粗糙，都会如此；可提高角度范围的起点。',
  },
  'xrd.refine.note.texture': {
    en: '{{phase}} has a preferred orientation along [{{axis}}] (March parameter {{r}}): its fraction is less certain. Side loading or spray drying avoids it.',
    zh: '{{phase}} 沿 [{{axis}}] 择优取向（March 参数 {{r}}）：其含量不够可靠。侧装或喷雾干燥制样可避免。',
  },
  'xrd.refine.note.isotype-possible': {
    en: 'The cell of {{phase}} changed by {{change}} %. It may be an isotype or a solid solution: its formula was not refined.',
    zh: '{{phase}} 的晶胞改变了 {{change}} %，可能是同构物或固溶体：其化学式未参与精修。',
  },
  'xrd.refine.note.amorphous-not-seen': {
    en: 'Fractions are shares of the given crystalline phases and add up to 100 %. Amorphous parts and phases not listed are not in them; an internal standard shows them.',
    zh: '重量分数是所给结晶相中的占比，总和为 100 %，不含非晶部分和未列出的物相；加入内标可测得。',
  },
  'xrd.refine.note.unexplained-intensity': {
    en: '{{share}} % of the intensity above the background is in none of the phases, with its strongest peaks near 2θ = {{angles}}°: a phase may be missing, and fractions are shares of the listed phases only.',
    zh: '背底以上的强度有 {{share}} % 不属于任何所列物相，最强峰位于 2θ = {{angles}}° 附近：可能缺少物相，重量分数仅为所列物相中的占比。',
  },
  'xrd.refine.note.not-accounted-for': {
    en: '{{fraction}} % of the sample is in none of the phases: amorphous, or crystalline and not listed.',
    zh: '样品中有 {{fraction}} % 不属于所列物相：可能是非晶，或未列出的结晶相。',
  },
  'xrd.refine.note.standard-contradicts': {
    en: 'By the internal standard the phases make up {{total}} % of the sample. Its share or a structure is wrong.',
    zh: '按内标计算，各物相合计占样品的 {{total}} %。内标占比或某个结构有误。',
  },
  'xrd.refine.note.microabsorption-possible': {
    en: '{{phase}} absorbs differently from the rest (by {{contrast}} 1/cm). With grains of 10 µm it would be {{fraction}} % by weight; give the sizes of the particles, or grind finer.',
    zh: '{{phase}} 与其余物相的吸收系数相差 {{contrast}} 1/cm。若颗粒为 10 µm，其重量分数应为 {{fraction}} %；请填写粒径，或磨得更细。',
  },
  'xrd.refine.note.negative-intensities': {
    en: 'Negative intensities: {{points}}. Was a background removed before?',
    zh: '负强度：{{points}} 个点。是否已扣除过背底？',
  },
  'xrd.refine.note.cut-at-zero': {
    en: 'A background was subtracted and negative values became zero: weak lines and their phases are too weak, by more than the e.s.d. Refine the intensities as measured.',
    zh: '已扣除背底，且负值被置零：弱峰及其物相偏低，偏差超过标准偏差。请使用原始测量强度精修。',
  },
  'xrd.refine.note.saturated': {
    en: '{{points}} points have the same highest value, {{level}}: the detector was saturated, and strong lines are too weak.',
    zh: '{{points}} 个点的值同为最高值 {{level}}：探测器已饱和，强峰偏低。',
  },
  'xrd.refine.note.not-counts': {
    en: 'The intensities are not counts: Rexp and χ² say little, and the e.s.d. follow from the fit alone.',
    zh: '强度不是计数：Rexp 与 χ² 意义不大，标准偏差仅由拟合得出。',
  },
  'xrd.refine.note.points-averaged': {
    en: 'Groups of {{group}} points were averaged.',
    zh: '每 {{group}} 个点取平均。',
  },
  'xrd.refine.note.no-anomalous': {
    en: 'There is no anomalous dispersion in the table for {{wavelength}} Å: it was left out.',
    zh: '表中没有 {{wavelength}} Å 的反常色散数据，未予考虑。',
  },
  'xrd.refine.note.natural-hydrogen': {
    en: 'The hydrogen of {{phase}} is counted as natural hydrogen (−3.74 fm). Deuterium (+6.67 fm) scatters otherwise: for a deuterated sample, add a CIF with D in its place.',
    zh: '{{phase}} 中的氢按天然氢（−3.74 fm）计算。氘（+6.67 fm）的散射不同：对于氘代样品，请添加以 D 代替 H 的 CIF。',
  },
  'xrd.refine.note.size-uncalibrated': {
    en: 'The line widths contain the broadening of the instrument: sizes and strains are limits. Refine a standard (LaB6, Si, corundum) first and keep its line widths.',
    zh: '峰宽包含仪器展宽：晶粒尺寸和微应变只能给出界限。请先精修标准样品（LaB6、Si、刚玉）并保留其峰宽。',
  },
  'xrd.refine.broadening.broadened': {
    en: 'The lines are broader than the instrument makes them.',
    zh: '衍射线比仪器峰宽更宽。',
  },
  'xrd.refine.broadening.instrument-only': {
    en: 'No broadening beyond the instrument: size and strain are limits.',
    zh: '没有超出仪器的展宽：尺寸和应变只能给出界限。',
  },
  'xrd.refine.broadening.uncalibrated': {
    en: 'The instrument is not calibrated, so the breadths contain its part: size and strain are limits.',
    zh: '仪器未校准，峰宽包含仪器部分：尺寸和应变只能给出界限。',
  },
  'xrd.refine.broadening.few-lines': {
    en: 'Fewer than four lines stand alone and are strong enough: neither size nor strain is given.',
    zh: '孤立且足够强的衍射线不足四条：不给出尺寸和应变。',
  },
  'xrd.refine.broadening.anisotropic': {
    en: 'The points lie {{scatter}} times their e.s.d. from the straight line: size or strain depends on the direction in the crystal, and the values are means.',
    zh: '各点偏离直线达其标准偏差的 {{scatter}} 倍：尺寸或应变与晶体方向有关，所给为平均值。',
  },
  'xrd.identify.identified': {
    en: 'Found: {{names}}. These phases explain {{share}} % of the pattern above its background.',
    zh: '找到：{{names}}。这些物相解释了背底以上强度的 {{share}} %。',
  },
  'xrd.identify.partly': {
    en: 'Found: {{names}}. These phases explain {{share}} % of the pattern above its background; the rest comes from phases that are not in this database, or from structures that differ.',
    zh: '找到：{{names}}。这些物相解释了背底以上强度的 {{share}} %；其余来自本库没有的物相，或结构有差异。',
  },
  'xrd.identify.partly-limited': {
    en: 'Found: {{names}}. These phases explain {{share}} % of the pattern above its background; the rest comes from phases with other elements than the named ones, from phases that are not in this database, or from structures that differ.',
    zh: '找到：{{names}}。这些物相解释了背底以上强度的 {{share}} %；其余来自含有未填写元素的物相、本库没有的物相，或结构有差异。',
  },
  'xrd.identify.partly-in-time': {
    en: 'Found: {{names}}. These phases explain {{share}} % of the pattern above its background. The search ended at its time limit, so phases may be missing: name the elements, or try again later.',
    zh: '找到：{{names}}。这些物相解释了背底以上强度的 {{share}} %。检索因达到时间上限而结束，可能漏掉物相：请填写元素，或稍后再试。',
  },
  'xrd.identify.amorphous': {
    en: ' The background has broad humps, as of an amorphous part, whose share is not in the fractions.',
    zh: '背底含有类似非晶部分的宽峰，其含量不计入各相的分数。',
  },
  'xrd.identify.uncertain': {
    en: ' The pattern does not prove the elements of {{names}}.',
    zh: '图谱不能证实 {{names}} 的元素。',
  },
  'xrd.identify.name-elements': { en: ' Name the elements that you know.', zh: '请填写已知的元素。' },
  'xrd.identify.doubt': {
    en: 'Elements not certain: {{reasons}}.',
    zh: '元素不确定：{{reasons}}。',
  },
  'xrd.identify.doubt.and': { en: ', and ', zh: '，且' },
  'xrd.identify.doubt.cell': {
    en: 'the cell differs by {{change}} % from the stored one',
    zh: '晶胞与库中的相差 {{change}} %',
  },
  'xrd.identify.doubt.intensities': {
    en: 'the line intensities differ by {{difference}} %',
    zh: '衍射线强度相差 {{difference}} %',
  },
  'xrd.identify.doubt.rivals': {
    en: '{{names}} would fit about as well',
    zh: '{{names}} 也能同样拟合',
  },
  'xrd.identify.none-in-time': {
    en: 'No match within the time limit: no phase was found before the search ended. Name the elements, or try again later.',
    zh: '没有匹配：检索因达到时间上限而结束，此前未找到物相。请填写元素，或稍后再试。',
  },
  'xrd.identify.none-compared': {
    en: 'No match: no material of this database has the named elements, so none was compared. Name all elements of the sample (“only: Al N”), or only those that every phase has (“include: O *”).',
    zh: '没有匹配：本库中没有符合所填元素的材料，因此未作比较。请填写样品的全部元素（“only: Al N”），或只填写每个物相都含有的元素（“include: O *”）。',
  },
  'xrd.identify.none': {
    en: 'No match: no material of this database explains the pattern. Check the radiation. If you named elements, try again without them. If you expect a phase, add its CIF to the phases and refine.',
    zh: '没有匹配：本库中没有材料能解释该图谱。请检查射线；若填写了元素，可去掉后再试。若已有预期的物相，可添加其 CIF 后精修。',
  },
} as const satisfies MessageTable;
