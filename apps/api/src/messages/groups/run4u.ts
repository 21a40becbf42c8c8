/** Texts of the run4u calls. */
import type { MessageTable } from '../message-table.ts';

export const run4uMessages = {
  'run4u.no-file': {
    en: 'No file was sent: choose one CIF or POSCAR file.',
    zh: '没有收到文件：请选择一个 CIF 或 POSCAR 文件。',
  },
  'run4u.too-large': {
    en: 'The file is larger than 10 KB: CIF or POSCAR files smaller than 10 KB are accepted.',
    zh: '文件超过 10 KB：只接受小于 10 KB 的 CIF 或 POSCAR 文件。',
  },
  'run4u.unreadable': {
    en: 'The file cannot be read: {{reason}}.',
    zh: '无法读取该文件：{{reason}}。',
  },
  'run4u.too-many-atoms': {
    en: 'Too many atoms to run (more than {{limit}} atoms), error code:01',
    zh: '原子数过多，无法计算（超过 {{limit}} 个原子），error code:01',
  },
  'run4u.partly-occupied': {
    en: 'Site {{site}} is partly occupied ({{content}}): only ordered structures, with one whole atom on every site, can be calculated.',
    zh: '位点 {{site}} 为部分占据（{{content}}）：只能计算每个位点均被一个完整原子占据的有序结构。',
  },
  'run4u.overlap': {
    en: 'Two atoms are only {{distance}} Å apart; at least {{minimum}} Å is expected. Check the coordinates and the cell.',
    zh: '有两个原子仅相距 {{distance}} Å，至少应为 {{minimum}} Å，请检查坐标与晶胞。',
  },
  'run4u.symmetry-failed': {
    en: 'The symmetry of the structure cannot be found: {{reason}}.',
    zh: '无法确定该结构的对称性：{{reason}}。',
  },
  'run4u.note.others': {
    en: 'The file has {{count}} more structures; the first one is used.',
    zh: '该文件还包含另外 {{count}} 个结构，仅使用第一个。',
  },
  'run4u.not-found': {
    en: 'There is no such submission.',
    zh: '没有这个提交记录。',
  },
  'run4u.not-cancellable': {
    en: 'This submission has already finished and cannot be cancelled.',
    zh: '该提交已结束，无法取消。',
  },
  'run4u.not-resubmittable': {
    en: 'Only failed and cancelled submissions can be submitted again.',
    zh: '只有失败或已取消的提交可以重新提交。',
  },
  'run4u.reason.no-engine': {
    en: 'Waiting: no calculation engine is installed on the server. The administrators have been told what to install.',
    zh: '等待中：服务器尚未安装计算引擎，已提示管理员安装。',
  },
  'run4u.reason.no-worker': {
    en: 'Waiting: no worker is running at the moment.',
    zh: '等待中：当前没有运行中的计算进程。',
  },
  'run4u.reason.draining': {
    en: 'Waiting: an administrator has paused new calculations.',
    zh: '等待中：管理员已暂停新的计算。',
  },
  'run4u.reason.disk-full': {
    en: 'Waiting: the calculation server is out of disk space. The calculation continues when there is space again.',
    zh: '等待中：计算服务器磁盘空间不足，恢复后将继续计算。',
  },
  'run4u.reason.interrupted': {
    en: 'The calculation was interrupted and will continue shortly.',
    zh: '计算被中断，稍后将自动继续。',
  },
  'run4u.reason.scf-not-converged': {
    en: 'The electron density did not converge with any of three mixing schemes.',
    zh: '电子密度未收敛（已尝试三种混合方案）。',
  },
  'run4u.reason.relax-not-converged': {
    en: 'The relaxation of cell and atoms did not converge: {{detail}}',
    zh: '晶胞与原子弛豫未收敛：{{detail}}',
  },
  'run4u.reason.out-of-memory': {
    en: 'The calculation needs more memory than the limit of {{memoryMb}} MB.',
    zh: '计算所需内存超过限制（{{memoryMb}} MB）。',
  },
  'run4u.reason.time-limit': {
    en: 'A step of the calculation exceeded the limit of {{hours}} hours.',
    zh: '某一计算步骤超过了 {{hours}} 小时的时间限制。',
  },
  'run4u.reason.engine-refused': {
    en: 'The engine refused the calculation: {{detail}}',
    zh: '计算引擎拒绝了该计算：{{detail}}',
  },
  'run4u.reason.engine-crashed': {
    en: 'The engine repeatedly stopped early: {{detail}}',
    zh: '计算引擎多次异常退出：{{detail}}',
  },
  'run4u.reason.output-incomplete': {
    en: 'The engine left incomplete results: {{detail}}',
    zh: '计算引擎输出不完整：{{detail}}',
  },
  'run4u.reason.gave-up': {
    en: 'The step “{{step}}” was started {{times}} times and never finished.',
    zh: '步骤“{{step}}”已尝试 {{times}} 次，均未完成。',
  },
  'run4u.reason.no-data-set': {
    en: 'There is no PBE data set for {{elements}}: these elements cannot be calculated here.',
    zh: '缺少 {{elements}} 的 PBE 赝势数据，暂无法计算含该元素的结构。',
  },
  'run4u.reason.not-calculable': {
    en: 'The structure cannot be calculated: {{detail}}',
    zh: '该结构无法计算：{{detail}}',
  },
  'run4u.reason.no-parameters': {
    en: 'The potential has no parameters for {{elements}}: these elements can only be calculated from first principles.',
    zh: '该势函数没有 {{elements}} 的参数，含该元素的结构只能由第一性原理计算。',
  },
  'run4u.reason.too-large': {
    en: 'The cell has {{atoms}} atoms: the potential relaxes at most {{limit}}. Submit the primitive cell.',
    zh: '晶胞含 {{atoms}} 个原子，势函数至多弛豫 {{limit}} 个，请提交原胞。',
  },
  'run4u.reason.overlapping-atoms': {
    en: 'Two atoms are {{distance}} Å apart; the potential was not trained on such short bonds. Check the coordinates and the cell.',
    zh: '有两个原子仅相距 {{distance}} Å，超出势函数的适用范围，请检查坐标与晶胞。',
  },
  'run4u.reason.isolated-atom': {
    en: 'An atom has no neighbour within {{cutoff}} Å: its energy would be meaningless. Check the coordinates and the cell.',
    zh: '有一个原子在 {{cutoff}} Å 内没有近邻，其能量没有意义，请检查坐标与晶胞。',
  },
  'run4u.reason.large-force': {
    en: 'A force exceeds {{limit}} eV/Å, which the potential was not trained for. Start from a better structure.',
    zh: '有原子受力超过 {{limit}} eV/Å，超出势函数的训练范围，请从更合理的结构开始。',
  },
  'run4u.reason.volume-change': {
    en: 'The cell changed its volume by more than 30 % while it relaxed. Start from a better cell.',
    zh: '弛豫时晶胞体积变化超过 30 %，请从更合理的晶胞开始。',
  },
  'run4u.reason.prediction-time-limit': {
    en: 'The prediction exceeded the limit of {{minutes}} minutes.',
    zh: '预测耗时超过 {{minutes}} 分钟的限制。',
  },
  'run4u.reason.not-stored': {
    en: 'The result was refused by the database: {{detail}}',
    zh: '结果未能入库：{{detail}}',
  },
  'run4u.reason.cancelled': {
    en: 'Cancelled by you.',
    zh: '已由您取消。',
  },
  'run4u.reason.cancelled-by-operator': {
    en: 'Cancelled by an administrator.',
    zh: '已由管理员取消。',
  },
  'run4u.reason.existed': {
    en: 'This structure is already in the database.',
    zh: '数据库中已有该结构。',
  },
} as const satisfies MessageTable;

/** Reason codes: the keys above without their prefix. */
export type ReasonCode = keyof typeof run4uMessages extends infer Key
  ? Key extends `run4u.reason.${infer Code}`
    ? Code
    : never
  : never;
