/** What people call a material, and where its data come from. */
import type { Field } from './field.ts';

export const originFields = {
  nameEn: {
    kind: 'text',
    isNullable: true,
    column: 'name_en',
    line: 'names.en',
    detail: 'names.en',
    label: { en: 'English name', zh: '英文名' },
    meaning: { en: 'Name people use, in English.', zh: '通用英文名称。' },
  },
  nameZh: {
    kind: 'text',
    isNullable: true,
    column: 'name_zh',
    line: 'names.zh',
    detail: 'names.zh',
    label: { en: 'Chinese name', zh: '中文名' },
    meaning: { en: 'Name people use, in Chinese.', zh: '通用中文名称。' },
  },
  sourceName: {
    kind: 'text',
    column: 'source_name',
    line: 'source.name',
    detail: 'source.name',
    label: { en: 'Source', zh: '来源' },
    meaning: { en: 'Collection the material was taken from.', zh: '材料所取自的数据集。' },
  },
  sourceId: {
    kind: 'text',
    column: 'source_id',
    line: 'source.id',
    lineDefault: '',
    detail: 'source.id',
    label: { en: 'Id in the source', zh: '来源编号' },
    meaning: { en: 'Its identifier in that collection.', zh: '材料在该数据集中的编号。' },
  },
  sourceLicence: {
    kind: 'text',
    column: 'source_licence',
    line: 'source.licence',
    lineDefault: '',
    detail: 'source.licence',
    label: { en: 'Licence', zh: '许可' },
    meaning: { en: 'Licence its data are under.', zh: '其数据所用的许可。' },
  },
  sourceUrl: {
    kind: 'url',
    isNullable: true,
    column: 'source_url',
    line: 'source.url',
    detail: 'source.url',
    label: { en: 'Address', zh: '网址' },
    meaning: { en: 'Address of its page in that collection.', zh: '该数据集中对应页面的网址。' },
  },
} as const satisfies Readonly<Record<string, Field>>;
