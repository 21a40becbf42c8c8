/** Texts of screening, and of the filter language. */
import type { MessageTable } from '../message-table.ts';

/** Appends the position in the filter, with a drawing below it. */
const EN = ' (character {{at}})\n{{drawn}}';
const ZH = '（第 {{at}} 个字符）\n{{drawn}}';

const placed = (en: string, zh: string) => ({ en: en + EN, zh: zh + ZH });

export const screenMessages = {
  'filter.too-long': {
    en: 'The filter has {{length}} characters; at most {{limit}} are accepted. Narrow your query.',
    zh: '筛选条件有 {{length}} 个字符，最多 {{limit}} 个。请分次查询。',
  },
  'filter.too-deep': placed(
    'Conditions are nested more than {{limit}} levels deep: remove unnecessary parentheses.',
    '条件嵌套超过 {{limit}} 层：请去掉不必要的括号。',
  ),
  'filter.too-many-terms': placed(
    'The filter has more than {{limit}} conditions and values: narrow your query.',
    '筛选条件与取值超过 {{limit}} 个：请分次查询。',
  ),
  'filter.too-many-lists': placed(
    'At most {{limit}} lists can be compared side by side (a:b HAS …): narrow your query.',
    '最多可并列比较 {{limit}} 个列表（a:b HAS …）：请分次查询。',
  ),
  'filter.bad-tree': {
    en: 'The tree of the filter cannot be read: at {{where}}, {{expected}} is expected.',
    zh: '无法读取筛选条件树：{{where}} 处应为{{expected}}。',
  },
  'filter.tree.object': { en: 'an object', zh: '对象' },
  'filter.tree.list': { en: 'a non-empty list', zh: '非空列表' },
  'filter.tree.property': { en: 'the name of a property', zh: '属性名' },
  'filter.tree.constant': { en: 'a number, a text, true or false', zh: '数值、文本、true 或 false' },
  'filter.unexpected-character': placed(
    '“{{found}}” is not part of the filter language: keywords are written in capitals, properties in small letters, texts in double quotes, numbers without a unit.',
    '筛选语言中没有“{{found}}”：关键字用大写，属性名用小写，文本加双引号，数值不带单位。',
  ),
  'filter.unclosed-text': placed(
    'This text is not closed: end it with a double quote.',
    '文本没有结束：请补上双引号。',
  ),
  'filter.unclosed-expression': placed(
    'This expression is not closed: end it with ].',
    '表达式没有结束：请补上 ]。',
  ),
  'filter.bad-expression': placed(
    'This is not an expression: write properties, numbers, + - * / ^, parentheses and functions, as in [bulk_modulus / density].',
    '这不是表达式：请使用属性名、数值、+ - * / ^、括号和函数，例如 [bulk_modulus / density]。',
  ),
  'filter.expression-too-long': placed(
    'This expression is too long: at most {{limit}} characters are accepted.',
    '表达式过长：最多 {{limit}} 个字符。',
  ),
  'filter.too-many-expressions': {
    en: 'The query has {{count}} different expressions with {{steps}} names, numbers and signs in total; at most {{limit}} expressions and {{most}} of these can be calculated at once.',
    zh: '此处有 {{count}} 个不同的表达式，共 {{steps}} 个名称、数值和运算；一次最多计算 {{limit}} 个表达式、{{most}} 个名称、数值和运算。',
  },
  'filter.not-a-number': placed(
    '{{name}} is not a number: only numbers can be calculated with.',
    '{{name}} 不是数值：只有数值可以参与计算。',
  ),
  'filter.no-function': placed(
    'There is no function {{name}} with {{count}} arguments; available: {{known}}.',
    '没有带 {{count}} 个参数的函数 {{name}}；可用的函数有 {{known}}。',
  ),
  'filter.different-units': placed(
    '{{left}} and {{right}} are different units and cannot be added or compared.',
    '{{left}} 与 {{right}} 单位不同，不能相加或比较。',
  ),
  'filter.unit-not-possible': placed(
    'A number without a unit is needed here; this one is in {{unit}}. Divide by a quantity of the same unit first.',
    '此处需要无单位的数，现在的单位是 {{unit}}。请先除以同单位的量。',
  ),
  'filter.number-range': placed('This number is too large.', '该数值过大。'),
  'filter.expected-property': placed(
    'Expected the name of a property here, as in band_gap > 2.',
    '此处应为属性名，例如 band_gap > 2。',
  ),
  'filter.expected-condition': placed(
    'Expected a comparison here: <, <=, >, >=, =, !=, IS KNOWN, CONTAINS, STARTS WITH, ENDS WITH, HAS or LENGTH. Keywords are written in capitals.',
    '此处应为比较：<、<=、>、>=、=、!=、IS KNOWN、CONTAINS、STARTS WITH、ENDS WITH、HAS 或 LENGTH。关键字用大写。',
  ),
  'filter.expected-value': placed(
    'Expected a value here: a number, a text in double quotes, TRUE or FALSE.',
    '此处应为取值：数值、双引号内的文本、TRUE 或 FALSE。',
  ),
  'filter.expected-number': placed('Expected a number here.', '此处应为数值。'),
  'filter.expected-parenthesis': placed(
    'Expected a closing parenthesis, AND or OR here. Keywords are written in capitals.',
    '此处应为右括号、AND 或 OR。关键字用大写。',
  ),
  'filter.expected-end': placed(
    'The filter should end here, or go on with AND or OR. Keywords are written in capitals.',
    '筛选条件应在此结束，或以 AND、OR 继续。关键字用大写。',
  ),
  'filter.two-constants': placed(
    'A value can only be compared with a property: expected its name here.',
    '取值只能与属性比较：此处应为属性名。',
  ),
  'filter.list-lengths': placed(
    '{{width}} properties side by side need {{width}} values joined by colons, not {{found}}.',
    '{{width}} 个并列的属性需要 {{width}} 个以冒号相连的取值，此处有 {{found}} 个。',
  ),
  'filter.unknown-property': placed(
    'There is no property {{name}}; the nearest is {{nearest}}.',
    '没有属性 {{name}}；最接近的是 {{nearest}}。',
  ),
  'filter.needs-number': placed(
    '{{name}} is a number ({{unit}}): write it without quotes and without a unit.',
    '{{name}} 是数值（{{unit}}）：请不加引号，也不写单位。',
  ),
  'filter.needs-text': placed(
    '{{name}} is a text: write “{{found}}” in double quotes.',
    '{{name}} 是文本：请给“{{found}}”加双引号。',
  ),
  'filter.needs-flag': placed('{{name}} is either TRUE or FALSE.', '{{name}} 只能是 TRUE 或 FALSE。'),
  'filter.needs-list': placed(
    '{{name}} is not a list: compare it with <, <=, >, >=, = or !=.',
    '{{name}} 不是列表：请用 <、<=、>、>=、= 或 != 比较。',
  ),
  'filter.is-list': placed(
    '{{name}} is a list: ask with HAS, HAS ALL, HAS ANY, HAS ONLY or LENGTH.',
    '{{name}} 是列表：请用 HAS、HAS ALL、HAS ANY、HAS ONLY 或 LENGTH。',
  ),
  'filter.no-order': placed(
    '{{name}} is either TRUE or FALSE: compare it with = or !=.',
    '{{name}} 只能是 TRUE 或 FALSE：请用 = 或 != 比较。',
  ),
  'filter.different-types': placed(
    '{{name}} and {{other}} are of different kinds or units and cannot be compared.',
    '{{name}} 与 {{other}} 的类型或单位不同，不能比较。',
  ),
  'filter.unknown-option': placed(
    '{{name}} never has the value “{{value}}”; the nearest is “{{nearest}}”.',
    '{{name}} 没有取值“{{value}}”；最接近的是“{{nearest}}”。',
  ),
  'filter.upside-down': placed(
    'The minimum of {{name}} ({{from}}) is larger than the maximum ({{to}}): exchange the two.',
    '{{name}} 不可能既不小于 {{from}} 又不大于 {{to}}：请对调两个数。',
  ),
  'screen.unknown-field': {
    en: 'There is no column {{name}}; the nearest is {{nearest}}.',
    zh: '没有列 {{name}}；最接近的是 {{nearest}}。',
  },
  'screen.cursor-unreadable': {
    en: 'This cursor is invalid: pass the one of the previous response unchanged, or omit it for the first page.',
    zh: '无法读取该游标：请原样使用上一次回答中的游标，或不带游标从第一页开始。',
  },
  'screen.cursor-query': {
    en: 'This cursor belongs to another filter, scale or order: omit it to get the first page.',
    zh: '该游标属于另一个筛选条件、能量基准或排序：请不带游标，从本查询的第一页开始。',
  },
  'screen.cursor-release': {
    en: 'The catalogue has changed since this cursor (release {{release}}; now {{now}}): omit it and start again.',
    zh: '该游标之后数据已更新（版本 {{release}}，现为 {{now}}）：请不带游标重新开始。',
  },
} as const satisfies MessageTable;

// ── Texts of collections and saved searches ──

export const collectionsMessages = {
  'collections.not-found': {
    en: 'This collection or search does not exist or is no longer shared with you.',
    zh: '没有这个收藏夹或检索，或它已不再与您共享。',
  },
  'collections.too-many': {
    en: 'You have {{limit}} collections, which is the limit: delete one first.',
    zh: '您已有 {{limit}} 个收藏夹，达到上限：请先删除一个。',
  },
  'collections.full': {
    en: 'A collection holds at most {{limit}} materials; this would make {{count}}: start another one.',
    zh: '一个收藏夹最多容纳 {{limit}} 个材料，现在将有 {{count}} 个：请另建一个。',
  },
  'collections.unknown-material': {
    en: 'There is no material {{id}}: nothing was added.',
    zh: '没有材料 {{id}}：未添加任何材料。',
  },
  'collections.too-many-searches': {
    en: 'You have {{limit}} saved searches, which is the limit: delete one first.',
    zh: '您已保存 {{limit}} 个检索，达到上限：请先删除一个。',
  },
  'collections.bad-filter': {
    en: 'This filter has an error: try it on the search page, which shows where.',
    zh: '无法读取该筛选条件：请先在检索页面试用，页面会指出问题所在。',
  },
} as const satisfies MessageTable;
