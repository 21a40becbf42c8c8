/** Texts of collections and saved searches. */
import type { MessageTable } from '../message-table.ts';

export const collectionsMessages = {
  'collections.not-found': {
    en: 'There is no such collection or search, or it is not shared with you any more.',
    zh: '没有这个收藏夹或检索，或它已不再与您共享。',
  },
  'collections.too-many': {
    en: 'You have {{limit}} collections, which is the most there can be: delete one first.',
    zh: '您已有 {{limit}} 个收藏夹，达到上限：请先删除一个。',
  },
  'collections.full': {
    en: 'A collection holds at most {{limit}} materials; this would make {{count}}: begin another one.',
    zh: '一个收藏夹最多容纳 {{limit}} 个材料，现在将有 {{count}} 个：请另建一个。',
  },
  'collections.unknown-material': {
    en: 'There is no material {{id}}: nothing was added.',
    zh: '没有材料 {{id}}：未添加任何材料。',
  },
  'collections.too-many-searches': {
    en: 'You have {{limit}} saved searches, which is the most there can be: delete one first.',
    zh: '您已保存 {{limit}} 个检索，达到上限：请先删除一个。',
  },
  'collections.bad-filter': {
    en: 'This filter cannot be read: try it on the search page first, which says where.',
    zh: '无法读取该筛选条件：请先在检索页面试用，页面会指出问题所在。',
  },
} as const satisfies MessageTable;
