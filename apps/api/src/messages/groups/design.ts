/** Texts of design runs: the way to new compounds. */
import type { MessageTable } from '../message-table.ts';

export const designMessages = {
  'design.unknown-element': {
    en: '{{element}} is not an element: please give symbols such as Li, O or Zr.',
    zh: '{{element}} 不是元素符号：请输入 Li、O、Zr 等符号。',
  },
  'design.no-system': {
    en: 'No set of {{nelements}} of these {{elements}} elements holds the {{required}} required ones: add elements, or ask for compounds of another number of elements.',
    zh: '所给 {{elements}} 种元素中没有含全部 {{required}} 种必需元素的 {{nelements}} 元组合：请增加元素，或改变元素种数。',
  },
  'design.too-many-systems': {
    en: 'These elements make {{systems}} chemical systems; at most {{limit}} are looked through in one run. Leave some elements out, or require one.',
    zh: '这些元素可组成 {{systems}} 个化学体系，一次最多处理 {{limit}} 个。请减少元素，或指定必需元素。',
  },
  'design.too-many-candidates': {
    en: '{{candidates}} candidates are too many: at most {{limit}} are predicted in one run. The chemically nearest come first.',
    zh: '{{candidates}} 个候选过多：一次任务最多预测 {{limit}} 个，化学上最接近的优先。',
  },
  'design.under-way': {
    en: 'A design run of yours is under way: wait for it, or cancel it.',
    zh: '您已有一个设计任务正在进行：请等待其完成，或将其取消。',
  },
  'design.budget': {
    en: 'You have used up your design runs for now; the next can start in {{minutes}} min.',
    zh: '您的设计任务次数暂时用完，{{minutes}} 分钟后可再次开始。',
  },
  'design.over': {
    en: 'This design run is over already.',
    zh: '该设计任务已经结束。',
  },
  'design.not-found': {
    en: 'There is no such design run or candidate.',
    zh: '没有该设计任务或候选结构。',
  },
  'design.failed': {
    en: 'The design run failed on our side; the operator’s log says why. Please try again.',
    zh: '设计任务因本站故障失败，原因已记入运营者日志。请稍后重试。',
  },
} as const satisfies MessageTable;
