/** What a reader of a structure file assumed or left out; the English sentence is the reader's own. */
import type { ReadNotice } from '@unitcell/crystal';
import type { MessageTable } from '../message-table.ts';

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
    zh: '空间群符号“{{found}}”对应多种取向，已采用“{{used}}”。',
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
