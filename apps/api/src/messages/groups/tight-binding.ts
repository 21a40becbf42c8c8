/** Texts of the tight-binding calls. */
import type { MessageTable } from '../message-table.ts';

export const tightBindingMessages = {
  'tight-binding.unknown-grid': {
    en: 'There is no lattice called {{id}}. Use a code of the list, such as kgm, hcb or lieb.{{hint}}',
    zh: '没有名为 {{id}} 的晶格。请使用列表中的代码，例如 kgm、hcb 或 lieb。{{hint}}',
  },
  'tight-binding.similar': {
    en: ' Similar: {{ids}}.',
    zh: '相近的有：{{ids}}。',
  },
  'tight-binding.not-a-number': {
    en: '{{name}} is {{value}}: a number is needed.',
    zh: '{{name}} 的值为 {{value}}，应为数字。',
  },
  'tight-binding.out-of-range': {
    en: '{{name}} is {{value}}: choose a number from {{low}} to {{high}}.',
    zh: '{{name}} 的值为 {{value}}，应在 {{low}} 到 {{high}} 之间。',
  },
  'tight-binding.onsite-count': {
    en: 'The sites of {{id}} are of the kinds {{symbols}}: give one on-site energy per kind ({{expected}}); {{count}} given.',
    zh: '{{id}} 有 {{expected}} 类格点（{{symbols}}），但给出了 {{count}} 个在位能。请为每一类给出一个值。',
  },
  'tight-binding.k-points': {
    en: '{{count}} k-points were asked for: choose a whole number from 2 to {{limit}}.',
    zh: '请求了 {{count}} 个 k 点，应为 2 到 {{limit}} 之间的整数。',
  },
} as const satisfies MessageTable;
