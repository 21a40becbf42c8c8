/** Texts of the ecwindow calls. */
import type { MessageTable } from '../message-table.ts';

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
    en: 'The range {{text}} of {{field}} is not understood. A range is written [min, max].',
    zh: '无法识别 {{field}} 的范围 {{text}}。范围请写成 [最小值, 最大值]。',
  },
  'ecwindow.no-energy': {
    en: 'The material {{id}} has no energy on the scale {{functional}}, so no window can be given.',
    zh: '材料 {{id}} 在能量基准 {{functional}} 下没有能量数据，无法给出电化学窗口。',
  },
} as const satisfies MessageTable;
