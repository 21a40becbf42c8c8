import type { MessageKey } from './en.ts';

/** Server messages in Chinese: every key of the English catalogue, or the build fails. */
export const zh: Record<MessageKey, string> = {
  'auth.missing': '请先登录。',
  'auth.invalid': '登录状态已失效，请重新登录。',
  'auth.expired': '登录已过期，请重新登录。',
  'request.invalid': '无法理解该请求：{{reason}}。',
  'request.not-json': '请求内容不是有效的 JSON。',
  'request.media-type': '该接口只接受 JSON 格式的请求。',
  'request.too-large': '请求内容过大：最多接受 {{limit}}。',
  'request.too-many': '请求过于频繁，请在 {{seconds}} 秒后重试。',
  'request.not-found': '该地址不存在。',
  'server.failed': '服务器出现错误。如需反馈，请提供此编号：{{errorId}}',
  'server.busy': '服务器繁忙，请稍后再试。',
  'search.too-long': '搜索内容有 {{length}} 个字符，最多接受 {{limit}} 个。',
  'search.no-elements': '请至少输入一个元素符号，例如 Ti-O。',
  'search.unknown-elements': '{{symbols}} 不是元素符号。元素请写成 Ti-O 的形式。',
  'search.formula-in-element-mode':
    '{{text}} 看起来是化学式。请切换到“按化学式”搜索，或用连字符分隔元素：{{suggestion}}。',
  'search.bad-formula': '无法识别化学式 {{text}}：{{reason}}',
  'search.bad-struct-id': '{{text}} 不是材料编号。编号为整数，例如 126096。',
  'search.truncated': '共有 {{count}} 条结果，仅显示前 {{limit}} 条。可增加元素以缩小范围。',
  'material.not-found': '没有编号为 {{id}} 的材料。',
  'login.code-sent': '验证码已发送。',
  'login.not-registered': '该手机号尚未注册。',
  'login.already-registered': '该手机号已注册。',
  'login.wrong-code': '验证码错误或已过期，请重新获取。',
  'login.wrong-token': '验证已过期，请重新获取验证码。',
  'login.too-soon': '刚刚已发送过验证码，请在 {{seconds}} 秒后再试。',
  'login.too-many-codes': '验证码请求次数过多，请在 {{minutes}} 分钟后再试。',
  'login.delivery-failed': '短信发送失败，请稍后再试；本次不计入次数。',
  'login.other-number': '该验证码属于另一个手机号。',
};
