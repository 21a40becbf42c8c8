/**
 * Texts of the xrd calls. Texts about wavelength and size are shared with the material page
 * (groups/matdata.ts).
 */
import type { MessageTable } from '../message-table.ts';

export const xrdMessages = {
  'xrd.no-file': {
    en: 'No file was sent: choose one pattern (the file of an instrument, or .txt, .xy, .csv, .dat).',
    zh: '没有收到文件：请选择一个衍射数据文件（仪器文件，或 .txt、.xy、.csv、.dat）。',
  },
  'xrd.too-large': {
    en: 'The file has more than 2 MB: patterns of at most 2 MB are accepted.',
    zh: '文件超过 2 MB：只接受不超过 2 MB 的衍射数据。',
  },
  'xrd.file.empty': {
    en: 'The file is empty: expected lines with an angle and an intensity, such as "{{expected}}".',
    zh: '文件为空：每行应包含角度和强度，例如“{{expected}}”。',
  },
  'xrd.file.columns': {
    en: 'Line {{line}} has the wrong number of columns ({{count}}): "{{found}}". Expected two or three, angle and intensity, such as "{{expected}}".',
    zh: '第 {{line}} 行的列数不对（{{count}} 列）：“{{found}}”。应为两列或三列（角度与强度），例如“{{expected}}”。',
  },
  'xrd.file.markup': {
    en: 'The file is a web page or XML, not columns of numbers: line {{line}} is "{{found}}". Expected lines such as "{{expected}}".',
    zh: '该文件是网页或 XML，而不是数据列：第 {{line}} 行为“{{found}}”。应为“{{expected}}”这样的行。',
  },
  'xrd.file.no-numbers': {
    en: 'No line of the file holds an angle and an intensity: line {{line}} is "{{found}}". Expected lines such as "{{expected}}".',
    zh: '文件中没有包含角度和强度的行：第 {{line}} 行为“{{found}}”。应为“{{expected}}”这样的行。',
  },
  'xrd.file.not-finite': {
    en: 'Line {{line}} holds a value that is not finite. Expected numbers such as "{{expected}}".',
    zh: '第 {{line}} 行含有非有限数值（无穷大或 NaN）。应为“{{expected}}”这样的数字。',
  },
  'xrd.file.angle': {
    en: 'Line {{line}} has the angle {{angle}}. Expected 2θ between 0 and 180 degrees in the first column, such as "{{expected}}".',
    zh: '第 {{line}} 行的角度为 {{angle}}。第一列应为 0 到 180 度之间的 2θ，例如“{{expected}}”。',
  },
  'xrd.file.too-few': {
    en: 'The file has only {{points}} different angles: a pattern needs at least {{minimum}} lines such as "{{expected}}".',
    zh: '文件中只有 {{points}} 个不同的角度：衍射数据至少需要 {{minimum}} 行，例如“{{expected}}”。',
  },
  'xrd.file.constant': {
    en: 'All intensities are {{value}}: a pattern needs peaks. Expected intensities in the second column, such as "{{expected}}".',
    zh: '所有强度均为 {{value}}：衍射数据中应有衍射峰。第二列应为强度，例如“{{expected}}”。',
  },
  'xrd.file.negative': {
    en: 'Intensities go down to {{lowest}} with a maximum of {{highest}}. Expected counts, zero or more, in the second column, such as "{{expected}}".',
    zh: '强度最低为 {{lowest}}，最高为 {{highest}}。第二列应为不小于零的计数，例如“{{expected}}”。',
  },
  'xrd.file.picture': {
    en: 'The file is a picture, not text. Export the pattern as two columns, angle and intensity, such as "{{expected}}".',
    zh: '该文件是图片而不是文本。请将数据导出为角度和强度两列，例如“{{expected}}”。',
  },
  'xrd.file.document': {
    en: 'The file is a PDF or Office document, not text. Export the pattern as two columns, angle and intensity, such as "{{expected}}".',
    zh: '该文件是 PDF 或 Office 文档而不是文本。请将数据导出为角度和强度两列，例如“{{expected}}”。',
  },
  'xrd.file.archive': {
    en: 'The file is a compressed archive or an Office document, not text. Unpack it, or export two columns, angle and intensity, such as "{{expected}}".',
    zh: '该文件是压缩包或 Office 文档而不是文本。请解压，或导出为角度和强度两列，例如“{{expected}}”。',
  },
  'xrd.file.instrument-file': {
    en: 'This {{format}} file is cut off, damaged, or of a version that cannot be read here. Export the pattern as two columns, angle and intensity, such as "{{expected}}".',
    zh: '该 {{format}} 文件不完整、已损坏，或其版本无法读取。请将数据导出为角度和强度两列，例如“{{expected}}”。',
  },
  'xrd.file.not-two-theta': {
    en: 'This {{format}} file holds a scan over {{axis}}, not over 2θ, so it is no powder pattern. Upload a 2θ scan.',
    zh: '该 {{format}} 文件的扫描轴为 {{axis}}，不是 2θ，因此不是粉末衍射图谱。请上传 2θ 扫描数据。',
  },
  'xrd.file.time-of-flight': {
    en: 'This {{format}} file holds neutrons by their time of flight, which is not supported. Only neutron patterns over 2θ with one wavelength can be read.',
    zh: '该 {{format}} 文件是飞行时间（TOF）中子数据，目前不支持。只能读取单一波长、以 2θ 扫描的中子图谱。',
  },
  'xrd.file.binary': {
    en: 'The file is binary, not text. Export the pattern as two columns, angle and intensity, such as "{{expected}}".',
    zh: '该文件是二进制文件而不是文本。请将数据导出为角度和强度两列，例如“{{expected}}”。',
  },
  'xrd.note.skipped': {
    en: 'Header, comment or odd lines skipped: {{count}}.',
    zh: '已跳过 {{count}} 行表头、注释或不规则的行。',
  },
  'xrd.note.merged': {
    en: 'Repeated angles averaged: {{count}}.',
    zh: '已对 {{count}} 个重复角度取平均。',
  },
  'xrd.note.negative': {
    en: 'Small negative intensities: {{count}}. Was a background removed before?',
    zh: '微小的负强度：{{count}} 个点。是否已扣除过背底？',
  },
  'xrd.note.decimal-comma': {
    en: 'Commas were read as decimal points.',
    zh: '逗号已按小数点读取。',
  },
  'xrd.note.sigmas': {
    en: 'The file states standard deviations σ: a refinement weights each point by 1/σ².',
    zh: '文件给出了标准偏差 σ：精修时各点按 1/σ² 加权。',
  },
  'xrd.note.sigmas-left-out': {
    en: 'The third value of each point was left out: it cannot be the standard deviation of the intensity.',
    zh: '未使用各点的第三个数值：它不可能是强度的标准偏差。',
  },
  'xrd.note.scaled-counts': {
    en: 'The file states how its counts were scaled (attenuator or counting time): a refinement weights each point by the counts that were measured.',
    zh: '文件说明了计数的换算方式（衰减片或计数时间）：精修时各点按实际测得的计数加权。',
  },
  'xrd.note.thinned': {
    en: '{{from}} points were averaged to {{to}}.',
    zh: '已将 {{from}} 个数据点平均为 {{to}} 个。',
  },
  'xrd.note.neutrons': {
    en: 'The file says that it was measured with neutrons, but not with which wavelength: choose neutrons and enter it.',
    zh: '文件注明使用中子测量，但没有给出波长：请选择中子并输入波长。',
  },
  'xrd.note.other-scans': {
    en: 'The file holds {{count}} scans; the first one over 2θ was read. Not used: {{scans}}.',
    zh: '文件中有 {{count}} 个扫描，已读取第一个 2θ 扫描。未使用：{{scans}}。',
  },
  'xrd.note.contradiction': {
    en: 'The file contradicts itself: anode {{anode}}, but Kα1 of {{wavelength}} Å. Choose the X-ray source yourself.',
    zh: '文件内容自相矛盾：阳极为 {{anode}}，Kα1 却为 {{wavelength}} Å。请自行选择 X 射线源。',
  },
  'xrd.note.wavelengths': {
    en: 'The file names several wavelengths ({{wavelengths}} Å) without their shares, and they are not Kα1 and Kα2 of one anode. Choose the X-ray source yourself.',
    zh: '文件列出多个波长（{{wavelengths}} Å），但没有给出强度比，也不是同一阳极的 Kα1 与 Kα2。请自行选择射线源。',
  },
  'xrd.note.k-alpha-2': {
    en: 'The file names Kα1 as its wavelength, but no monochromator before the sample that removes Kα2: both are used. If your optics remove Kα2, choose Kα1.',
    zh: '文件所写波长为 Kα1，但样品前没有可去除 Kα2 的单色器，因此两者都使用。若光路已去除 Kα2，请选择 Kα1。',
  },
  'xrd.note.variable-slit': {
    en: 'The divergence slit opens with the angle ({{slit}}), which raises the intensities at high angles. Matching and refinement calculate with it; the figure shows the pattern as measured.',
    zh: '发散狭缝随角度变化（{{slit}}），高角度强度因此偏高。匹配和精修已按此计算；图中为实测图谱。',
  },
  'xrd.note.background': {
    en: 'The background was removed before the comparison.',
    zh: '比对前已自动扣除背底。',
  },
  'xrd.note.waited': {
    en: 'This match waited {{seconds}} s: one match of an account runs at a time.',
    zh: '本次匹配等待了 {{seconds}} 秒：每个账号同时只运行一个匹配。',
  },
  'xrd.data.lengths': {
    en: 'The pattern has {{angles}} angles and {{intensities}} intensities: expected as many of one as of the other.',
    zh: '数据中有 {{angles}} 个角度和 {{intensities}} 个强度，两者数量应相同。',
  },
  'xrd.data.too-few': {
    en: 'The pattern has {{points}} points: at least {{minimum}} are needed.',
    zh: '数据只有 {{points}} 个点，至少需要 {{minimum}} 个。',
  },
  'xrd.data.too-many': {
    en: 'The pattern has {{points}} points: at most {{limit}} are accepted. Average neighbouring points, or upload the file.',
    zh: '数据有 {{points}} 个点，最多接受 {{limit}} 个。请对相邻点取平均，或直接上传文件。',
  },
  'xrd.data.angle': {
    en: 'Point {{point}} has the angle {{angle}}: expected 2θ between 0 and 180 degrees.',
    zh: '第 {{point}} 个点的角度为 {{angle}}：2θ 应在 0 到 180 度之间。',
  },
  'xrd.data.order': {
    en: 'Point {{point}} has the angle {{angle}}, which is not above the one before: expected rising angles.',
    zh: '第 {{point}} 个点的角度为 {{angle}}，没有大于前一个点：角度应递增。',
  },
  'xrd.data.constant': {
    en: 'All intensities are {{value}}: a pattern needs peaks.',
    zh: '所有强度均为 {{value}}：衍射数据中应有衍射峰。',
  },
  'xrd.data.negative': {
    en: 'Intensities go down to {{lowest}} with a maximum of {{highest}}: expected counts between zero and 1e15.',
    zh: '强度最低为 {{lowest}}，最高为 {{highest}}：应为 0 到 1e15 之间的计数。',
  },
  'xrd.lines.either': {
    en: 'Send either a pattern (xrd_data) or a list of spacings and intensities (lines).',
    zh: '请发送图谱（xrd_data）或面间距与强度列表（lines），二者取其一。',
  },
  'xrd.lines.unseen': {
    en: 'None of the {{lines}} lines is visible at {{wavelength}} Å (2θ from 2° to 165°). Check the spacings and the radiation.',
    zh: '{{lines}} 条线在 {{wavelength}} Å 下都不可见（2θ 为 2° 到 165°）。请检查面间距和辐射。',
  },
  'xrd.no-signal': {
    en: 'Nothing rises above the noise between {{from}}° and {{to}}° (d from 25 to 1 Å at {{wavelength}} Å). Check the radiation source and the file.',
    zh: '在 {{from}}° 到 {{to}}° 之间（波长 {{wavelength}} Å，d 为 25 到 1 Å）没有高于噪声的信号。请检查辐射源和文件。',
  },
  'xrd.no-peaks-left': {
    en: 'No peak rises above the background, so removing it would leave nothing.',
    zh: '没有高于背底的衍射峰：扣除后将没有数据。',
  },
  'xrd.unknown-source': {
    en: '{{text}} is not a radiation source. Choose one of {{known}}, or give a wavelength in Å.',
    zh: '{{text}} 不是可用的辐射源。请选择 {{known}}，或直接填写波长 (Å)。',
  },
  'xrd.filter.too-long': {
    en: 'The element filter has {{length}} characters. Write "only: Al N" for exactly these elements or "include: Al N *" for at least these.',
    zh: '元素筛选有 {{length}} 个字符，过长。“only: Al N”表示仅含这些元素，“include: Al N *”表示至少含这些元素。',
  },
  'xrd.filter.keyword': {
    en: '"{{found}}:" is not known in the element filter. Write "only: Al N" for exactly these elements or "include: Al N *" for at least these.',
    zh: '元素筛选中无法识别“{{found}}:”。“only: Al N”表示仅含这些元素，“include: Al N *”表示至少含这些元素。',
  },
  'xrd.filter.star': {
    en: '"only" allows no other elements, so "*" contradicts it. Write "only: Al N" for exactly these elements or "include: Al N *" for at least these.',
    zh: '“only”不允许其他元素，与“*”矛盾。“only: Al N”表示仅含这些元素，“include: Al N *”表示至少含这些元素。',
  },
  'xrd.filter.symbol': {
    en: '"{{found}}" in the element filter is not an element symbol. Write "only: Al N" for exactly these elements or "include: Al N *" for at least these.',
    zh: '元素筛选中的“{{found}}”不是元素符号。“only: Al N”表示仅含这些元素，“include: Al N *”表示至少含这些元素。',
  },
  'xrd.filter.no-element': {
    en: 'The element filter names no element. Write "only: Al N" for exactly these elements or "include: Al N *" for at least these.',
    zh: '元素筛选中没有元素。“only: Al N”表示仅含这些元素，“include: Al N *”表示至少含这些元素。',
  },
  'xrd.confident': {
    en: '{{formula}} ({{spaceGroup}}, id {{id}}) explains {{share}} % of the measured intensity, and nothing else that was compared fits as well.',
    zh: '{{formula}}（{{spaceGroup}}，编号 {{id}}）可解释 {{share}} % 的实测强度，参与比较的其他材料均不及它吻合。',
  },
  'xrd.possible': {
    en: 'Possible, not certain: {{formula}} ({{spaceGroup}}, id {{id}}) explains {{share}} % of the measured intensity; {{count}} peaks are unexplained.',
    zh: '可能但不确定：{{formula}}（{{spaceGroup}}，编号 {{id}}）可解释 {{share}} % 的实测强度，仍有 {{count}} 个峰未解释。',
  },
  'xrd.ambiguous': {
    en: 'Possible, not certain: several materials fit about as well, the first explains {{share}} % of the measured intensity: {{names}}. Name elements to tell them apart.',
    zh: '可能但不确定：多种材料的吻合程度相近，首个可解释 {{share}} % 的实测强度：{{names}}。可指定元素加以区分。',
  },
  'xrd.polymorphs': {
    en: 'Possible, not certain: polymorphs of one formula fit about as well, the first explains {{share}} % of the measured intensity: {{names}}. Compare their weak lines.',
    zh: '可能但不确定：同一化学式的多种晶型吻合程度相近，首个可解释 {{share}} % 的实测强度：{{names}}。请比较其弱峰。',
  },
  'xrd.no-confident-match': {
    en: 'No match: nothing that was compared fits. {{formula}} ({{spaceGroup}}, id {{id}}) comes nearest and explains {{share}} % of the measured intensity.',
    zh: '没有匹配：参与比较的材料均不吻合。最接近的是 {{formula}}（{{spaceGroup}}，编号 {{id}}），可解释 {{share}} % 的实测强度。',
  },
  'xrd.no-candidates': {
    en: 'No match: the database has no material that passes the element filter and has lines in the measured range.',
    zh: '没有匹配：数据库中没有符合元素筛选且在测量范围内有衍射线的材料。',
  },
  'xrd.nothing-left': {
    en: 'Nothing is left to match: the phases explain {{share}} % of the measured intensity.',
    zh: '没有需要继续匹配的衍射峰：所选物相已解释 {{share}} % 的实测强度。',
  },
  'xrd.neutrons.wavelength': {
    en: 'Neutrons need a wavelength in Å: write "neutrons 1.594". Patterns over the time of flight are not supported.',
    zh: '中子需要给出波长（Å），例如“neutrons 1.594”。不支持飞行时间图谱。',
  },
  'xrd.neutrons.too-many': {
    en: 'The stored patterns are for X-rays, so neutron patterns are calculated for each search: for at most {{limit}} materials, and {{count}} pass the element filter. Name the elements.',
    zh: '库中存储的是 X 射线图谱，中子图谱需在检索时计算，最多 {{limit}} 种材料，而符合元素筛选的有 {{count}} 种。请指定元素。',
  },
  'xrd.no-pattern': {
    en: 'The material {{id}} has no stored powder pattern.',
    zh: '材料 {{id}} 没有存储的粉末衍射图谱。',
  },
  'xrd.match-id-in-use': {
    en: 'A match with the id {{id}} is already waiting or running.',
    zh: '编号为 {{id}} 的匹配正在等待或运行。',
  },
  'xrd.queue-full': {
    en: '{{count}} of your matches are already waiting. Wait for one of them, or cancel it.',
    zh: '您已有 {{count}} 个匹配在排队，请等待其中之一完成或将其取消。',
  },
  'xrd.cancelled': {
    en: 'The match was cancelled.',
    zh: '匹配已取消。',
  },
  'xrd.not-running': {
    en: 'There is no such match: it has already ended.',
    zh: '没有该匹配：可能已经结束。',
  },
  'xrd.progress.waiting': {
    en: 'Waiting: {{position}} of your matches come first.',
    zh: '排队中：前面还有 {{position}} 个您的匹配。',
  },
  'xrd.progress.waiting-others': {
    en: 'Waiting for matches of other users.',
    zh: '正在等待其他用户的匹配完成。',
  },
  'xrd.progress.indexing': {
    en: 'The patterns of the database are being loaded: {{percent}} %.',
    zh: '正在载入数据库图谱：{{percent}} %。',
  },
  'xrd.progress.running': {
    en: '{{percent}} % of the materials are compared.',
    zh: '已比对 {{percent}} % 的材料。',
  },
  'xrd.progress.refining': {
    en: 'Refining: {{percent}} % done.',
    zh: '正在精修：已完成 {{percent}} %。',
  },
} as const satisfies MessageTable;
