/** Texts used by all parts of the server. */
import type { MessageTable } from '../message-table.ts';

export const commonMessages = {
  'auth.missing': {
    en: 'Please sign in first.',
    zh: '请先登录。',
  },
  'auth.invalid': {
    en: 'Your sign-in is no longer valid. Please sign in again.',
    zh: '登录状态已失效，请重新登录。',
  },
  'auth.expired': {
    en: 'Your sign-in has expired. Please sign in again.',
    zh: '登录已过期，请重新登录。',
  },
  'auth.key-invalid': {
    en: 'This API key is unknown or was revoked. Check it, or ask an administrator for a new one.',
    zh: 'API 密钥无效或已被撤销。请检查密钥，或向网站管理员申请新密钥。',
  },
  'auth.key-expired': {
    en: 'This API key has expired. Make a new one, or ask an administrator for one.',
    zh: 'API 密钥已过期。请新建密钥，或向网站管理员申请。',
  },
  'request.invalid': {
    en: 'Invalid request: {{reason}}.',
    zh: '无法理解该请求：{{reason}}。',
  },
  'request.field-missing': {
    en: '"{{field}}" is missing',
    zh: '缺少字段“{{field}}”',
  },
  'request.field-unknown': {
    en: 'This call has no field "{{field}}"; the nearest is "{{nearest}}"',
    zh: '该接口没有字段“{{field}}”，最接近的是“{{nearest}}”',
  },
  'request.no-fields': {
    en: '"{{field}}" was sent, but this call takes no fields',
    zh: '该接口不接受任何字段，却收到了“{{field}}”',
  },
  'request.field-wrong': {
    en: '"{{field}}" is {{value}}; expected {{expected}}',
    zh: '字段“{{field}}”的值是 {{value}}，应为{{expected}}',
  },
  'request.zero-byte': {
    en: '"{{field}}" contains a zero byte (\\u0000); remove it',
    zh: '字段“{{field}}”的文本中含有零字节（\\u0000），请将其删除',
  },
  'request.nested': {
    en: 'the body is nested more than {{limit}} levels deep',
    zh: '请求体的嵌套超过 {{limit}} 层',
  },
  'request.expects.string': { en: 'a text', zh: '文本' },
  'request.expects.number': { en: 'a number', zh: '数字' },
  'request.expects.int': { en: 'an integer', zh: '整数' },
  'request.expects.boolean': { en: 'true or false', zh: 'true 或 false' },
  'request.expects.array': { en: 'a list', zh: '列表' },
  'request.expects.object': { en: 'an object', zh: '对象' },
  'request.expects.number-min': { en: 'at least {{limit}}', zh: '不小于 {{limit}} 的数' },
  'request.expects.number-max': { en: 'at most {{limit}}', zh: '不大于 {{limit}} 的数' },
  'request.expects.string-min': { en: 'at least {{limit}} characters', zh: '至少 {{limit}} 个字符' },
  'request.expects.string-max': { en: 'at most {{limit}} characters', zh: '至多 {{limit}} 个字符' },
  'request.expects.array-min': { en: 'at least {{limit}} entries', zh: '至少 {{limit}} 项' },
  'request.expects.array-max': { en: 'at most {{limit}} entries', zh: '至多 {{limit}} 项' },
  'request.expects.one-of': { en: 'one of: {{values}}', zh: '以下之一：{{values}}' },
  'request.expects.id': { en: 'the id of a material, at most ten digits', zh: '材料编号（至多十位数字）' },
  'request.expects.mobile': {
    en: 'a mainland mobile number of eleven digits',
    zh: '十一位中国大陆手机号',
  },
  'request.expects.code': { en: 'a code of six digits', zh: '六位数字验证码' },
  'request.expects.second-factor': { en: 'six digits or a recovery code', zh: '六位数字或恢复码' },
  'request.expects.other': {
    en: 'another form (the OpenAPI document describes it)',
    zh: '其他形式（见 OpenAPI 文档）',
  },
  'request.not-json': {
    en: 'The request body is not valid JSON.',
    zh: '请求内容不是有效的 JSON。',
  },
  'request.not-multipart': {
    en: 'The upload is not complete: its parts do not end with the boundary named in the content type. Please upload the file again.',
    zh: '上传内容不完整：没有以请求头中声明的分隔符结束，请重新上传文件。',
  },
  'request.media-type': {
    en: 'This call takes a JSON body.',
    zh: '该接口只接受 JSON 格式的请求。',
  },
  'request.too-large': {
    en: 'The request is too large: at most {{limit}} are accepted.',
    zh: '请求内容过大：最多接受 {{limit}}。',
  },
  'request.too-many': {
    en: 'Too many requests. Please try again in {{seconds}} seconds.',
    zh: '请求过于频繁，请在 {{seconds}} 秒后重试。',
  },
  'request.method': {
    en: 'This address does not answer {{method}}; call it with {{allowed}}.',
    zh: '该地址不支持 {{method}} 请求，请使用 {{allowed}}。',
  },
  'optimade.off': {
    en: 'OPTIMADE is switched off on this site. An administrator can switch it on with OPTIMADE_ACCESS.',
    zh: '本站未开启 OPTIMADE 接口，管理员可用 OPTIMADE_ACCESS 开启。',
  },
  'request.not-found': {
    en: 'There is nothing at this address.',
    zh: '该地址不存在。',
  },
  'server.failed': {
    en: 'Something went wrong on our side. Please quote this number if you report it: {{errorId}}',
    zh: '服务器出现错误。如需反馈，请提供此编号：{{errorId}}',
  },
  'server.disk-full': {
    en: 'The server has no disk space left to store this. None of your data was lost; please tell an administrator and try again later.',
    zh: '服务器存储空间已满，无法保存。您的数据没有丢失，请联系管理员并稍后再试。',
  },
  'server.busy': {
    en: 'The server is busy. Please try again in a moment.',
    zh: '服务器繁忙，请稍后再试。',
  },
  'server.too-costly': {
    en: 'The calculation exceeded the time or memory limit and was stopped. Ask for less: fewer atoms, a longer wavelength, a smaller range, a shorter filter.',
    zh: '该计算所需的时间或内存超出限制，已被终止。请缩小计算规模，例如减少原子数、增大波长、缩小范围或缩短筛选条件。',
  },
  'request.abandoned': {
    en: 'The request was cancelled before it was answered.',
    zh: '请求在得到响应前已被放弃。',
  },
} as const satisfies MessageTable;
